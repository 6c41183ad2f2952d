import type { z } from "zod";
import { idBelow, lowestId, toPage } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { whereWritable } from "#server/db/faults.ts";
import type { Publish } from "#server/db/hints.ts";
import { idAt, isId, newId } from "#server/db/ids.ts";
import { mutedWordsOf, pageWithout } from "#server/features/people/index.ts";
import * as actQueries from "#server/features/talk/notifications/acts.queries.ts";
import type {
  ActRange,
  ToldAct,
  UnreadRange,
} from "#server/features/talk/notifications/acts.queries.ts";
import * as queries from "#server/features/talk/notifications/notifications.queries.ts";
import {
  readSettings,
  writeSettings,
} from "#server/features/talk/notifications/settings.queries.ts";
import * as telling from "#server/features/talk/notifications/tell.queries.ts";
import type { PostRef } from "#server/features/types.ts";
import { limits } from "#shared/limits.ts";
import { mentionedIn } from "#shared/mentions.ts";
import type { NoticeKind, NotificationKind } from "#shared/notification-kinds.ts";
import { notificationSettingsInput } from "#shared/notifications.inputs.ts";
import type { NotificationSettings, NotificationView } from "#shared/notifications.ts";
import { parseInput } from "#shared/inputs.ts";
import type { Page, Viewer } from "#shared/views.ts";

const dayMs = 24 * 60 * 60 * 1000;
const { page: size } = limits.notifications;

type Deps = {
  db: Database;
  /** letters leave this installation: a daily one can be chosen */
  mails?: boolean;
  /** Called in the transaction of an act for everybody told whose browser waits for it. */
  onPush?: (told: telling.Told) => Promise<void>;
  /** The same for everybody of whom an app waits, with the act. */
  onAppPush?: (told: telling.Told, actId: string) => Promise<void>;
  /** Tells the streams of a member, after the act's commit, that other things are unread now. */
  publish?: Publish;
};

/** Which notifications: all, or those that name the member. */
export type NotificationList = "all" | "mentions";

/**
 * What is told to members, written and taken back in the transaction of the act it tells. Acts of
 * one kind around one thing are gathered in one notification until it is read.
 */
export function createNotifications({ db, mails = false, onPush, onAppPush, publish }: Deps) {
  /** `actId`: what they were told of */
  function unreadChanged(accountIds: readonly string[], actId?: string): void {
    for (const accountId of accountIds) {
      publish?.({ kind: "unread", accountId, ...(actId === undefined ? {} : { actId }) });
    }
  }

  /**
   * One statement where anybody is concerned, none where nobody is. Runs in the act's transaction,
   * after the locks of the act itself.
   */
  async function tell(act: telling.Act): Promise<void> {
    const other = <Part extends { accountId: string }>(part: Part | null | undefined) =>
      part?.accountId === act.actorId ? null : part;
    const [owner, answered] = [other(act.owner) ?? null, other(act.answered) ?? null];
    if (!owner && !answered && act.mentioned.length === 0) return;
    const told = await tellReaders({ ...act, owner, answered });
    // Streams hear of messages themselves, and tell what is unread with them.
    const others = told.filter(({ kind }) => kind !== "message");
    unreadChanged(
      others.map(({ accountId }) => accountId),
      act.id,
    );
    for (const one of told) {
      // The tenth like of a photo is no news to a pocket: it rings once until it is read.
      const news =
        one.notificationId === act.id || one.kind === "comment" || one.kind === "message";
      if (one.pushed && news) await onPush?.(one);
      // In apps each act stands by itself, and none of them says what was read.
      if (one.apps) await onAppPush?.(one, act.id);
    }
  }

  /**
   * Whoever muted words that it has is not told of it, as they are not of people they muted. A second
   * statement where somebody muted other words.
   */
  async function tellReaders(act: telling.Act): Promise<telling.Told[]> {
    const { told, waiting } = await telling.insertAct(db, act);
    const reading = waiting
      .filter(({ words }) => !mutedWordsOf({ mutedWords: words })?.(act.text ?? ""))
      .map(({ accountId }) => accountId);
    if (reading.length === 0) return told;
    return [...told, ...(await telling.insertAct(db, act, reading)).told];
  }

  /** The acts of the other features, as those name them. */
  const notify = {
    followed: (followerId: string, followeeId: string, id: string) =>
      tell({
        id,
        actorId: followerId,
        owner: { accountId: followeeId, kind: "follow", subjectId: followeeId },
        post: null,
        mentioned: [],
      }),
    liked: (accountId: string, post: PostRef, id: string) =>
      tell({
        id,
        actorId: accountId,
        owner: { accountId: post.authorId, kind: "like", subjectId: post.postId },
        post,
        mentioned: [],
      }),
    /** Whoever is answered is told of the answer alone, be they named in it or the post's author. */
    commented: (
      accountId: string,
      post: PostRef,
      id: string,
      body: string,
      answered: { id: string; accountId: string } | null,
    ) =>
      tell({
        id,
        actorId: accountId,
        owner: { accountId: post.authorId, kind: "comment", subjectId: post.postId },
        answered: answered && { accountId: answered.accountId, subjectId: answered.id },
        post,
        mentioned: mentionedIn(body),
        text: body,
      }),
    commentLiked: (
      accountId: string,
      post: PostRef,
      comment: { id: string; accountId: string },
      id: string,
    ) =>
      tell({
        id,
        actorId: accountId,
        owner: { accountId: comment.accountId, kind: "like", subjectId: comment.id },
        post,
        mentioned: [],
      }),
    commentEdited: (
      accountId: string,
      { id, ...post }: PostRef & { id: string },
      body: string,
      before: string,
    ) =>
      tell({
        id: newId(),
        actorId: accountId,
        owner: null,
        post,
        mentioned: mentionedIn(body),
        text: body,
        subjectId: id,
        named: mentionedIn(before),
      }),
    posted: (post: PostRef, caption: string) =>
      tell({
        id: post.postId,
        actorId: post.authorId,
        owner: null,
        post,
        mentioned: mentionedIn(caption),
        text: caption,
      }),
    /** Told as something new, whenever the post was made. */
    edited: (post: PostRef, caption: string, before: readonly string[]) =>
      tell({
        id: newId(),
        actorId: post.authorId,
        owner: null,
        post,
        mentioned: mentionedIn(caption),
        text: caption,
        subjectId: post.postId,
        named: before.flatMap(mentionedIn),
      }),
    suggestedAlt: (accountId: string, post: PostRef, id: string) =>
      tell({
        id,
        actorId: accountId,
        owner: { accountId: post.authorId, kind: "alt", subjectId: post.postId },
        post,
        mentioned: [],
      }),
    /** `id` is the message's; the notification is of the conversation, until it is read. */
    wrote: (accountId: string, recipientId: string, conversationId: string, id: string) =>
      tell({
        id,
        actorId: accountId,
        owner: { accountId: recipientId, kind: "message", subjectId: conversationId },
        post: null,
        mentioned: [],
      }),
  };

  /** What no member did: told whatever they want to be told, in the caller's transaction. */
  async function tellNotice(
    kind: NoticeKind,
    accountIds: readonly string[],
    id: string,
    subjectId: string | null = null,
  ): Promise<void> {
    if (accountIds.length === 0) return;
    const told = await telling.insertNotice(db, { kind, accountIds, id, subjectId });
    unreadChanged(told.map(({ accountId }) => accountId));
    for (const one of told) if (one.pushed) await onPush?.(one);
  }

  const notices = {
    /** Moderators decided something about an account. */
    decided: (accountId: string, id: string) => tellNotice("verdict", [accountId], id),
    /** Something waits for moderators. */
    waiting: (moderatorIds: readonly string[], id: string) =>
      tellNotice("report", moderatorIds, id),
    /** Something is wrong with the server, or was: `troubleId` names it. */
    trouble: (kind: "trouble" | "recovery", operatorIds: readonly string[], troubleId: string) =>
      tellNotice(kind, operatorIds, newId(), troubleId),
  };

  /** Deletes what was told of an act, in the transaction that undoes it. */
  const retract = {
    /** a follow, a like, a suggestion, a message: told to one */
    act: async (accountId: string, id: string) =>
      unreadChanged(await telling.deleteAct(db, accountId, id)),
    comments: async (post: PostRef, ids: readonly string[] | "all") =>
      unreadChanged(
        ids === "all"
          ? await telling.deleteCommentsOfPost(db, post)
          : await telling.deleteCommentActs(db, { ...post, ids }),
      ),
    post: async (post: PostRef) => unreadChanged(await telling.deleteOfPost(db, post)),
    /** everything the two were told of one another */
    between: async (one: string, other: string) =>
      unreadChanged(await telling.deleteBetween(db, one, other)),
  };

  /** Acts of these kinds by themselves, newest first: for who gathers them otherwise, or not at all. */
  async function acts(viewer: Viewer, range: ActRange): Promise<ToldAct[]> {
    return actQueries.actsOf(db, viewer.id, range);
  }

  /** Those that are gathered in one notification, newest first, wherever it stands in the list. */
  const actsGathered = (
    viewer: Viewer,
    range: Parameters<typeof actQueries.actsGathered>[2],
  ): Promise<ToldAct[]> => actQueries.actsGathered(db, viewer.id, range);

  /** How many acts are unread, as far as they are counted. */
  const unread = (viewer: Viewer, range: UnreadRange): Promise<number> =>
    actQueries.unreadActs(db, viewer.id, range);

  /** One of them leaves the list of whom it was told, everywhere. */
  async function dismiss(viewer: Viewer, actId: string): Promise<void> {
    if (isId(actId)) unreadChanged(await telling.deleteAct(db, viewer.id, actId));
  }

  /** These notifications leave it, with all that is gathered in them. */
  async function dismissAll(viewer: Viewer, ids: readonly string[]): Promise<void> {
    const own = ids.filter(isId);
    if (own.length === 0) return;
    await actQueries.deleteThese(db, viewer.id, own);
    unreadChanged([viewer.id]);
  }

  /** All of these kinds leave it. */
  async function clear(viewer: Viewer, kinds: readonly NotificationKind[]): Promise<void> {
    await actQueries.deleteAll(db, viewer.id, kinds);
    unreadChanged([viewer.id]);
  }

  /** Newest first, 20 a page. */
  async function list(
    viewer: Viewer,
    which: NotificationList,
    cursor: string | null,
  ): Promise<Page<NotificationView>> {
    return pageWithout(hidesTold(viewer), { cursor, size }, (from, count) =>
      read(viewer, which, from, count),
    );
  }

  async function read(
    viewer: Viewer,
    which: NotificationList,
    cursor: string | null,
    count: number,
  ): Promise<Page<NotificationView>> {
    const mentions = which === "mentions";
    const page = { viewerId: viewer.id, mentions, below: idBelow(cursor), limit: count + 1 };
    return toPage(await queries.notificationsOf(db, page), count);
  }

  /**
   * A page as somebody opens it: what is new on it is still marked so. It and everything below it is
   * read from now on, so that the bell says 0; `unread` came meanwhile, or are not of this list.
   */
  async function open(
    viewer: Viewer,
    which: NotificationList,
    cursor: string | null,
  ): Promise<{ page: Page<NotificationView>; unread: number }> {
    // What comes while the page is read is not shown on it.
    const to = cursor === null ? newId() : idBelow(cursor);
    const page = await list(viewer, which, cursor);
    const marked = queries.markRead(db, {
      viewerId: viewer.id,
      to,
      mentions: which === "mentions",
    });
    const unread = await whereWritable(marked, viewer.unreadNotifications ?? 0);
    unreadChanged([viewer.id]);
    return { page, unread };
  }

  /** Everything that is there now; answers how many are unread after it. */
  async function markAllRead(viewer: Viewer): Promise<{ unread: number }> {
    const unread = await queries.markRead(db, {
      viewerId: viewer.id,
      to: newId(),
      mentions: false,
    });
    unreadChanged([viewer.id]);
    return { unread };
  }

  /**
   * What a member was told before they muted words that it has: it leaves their list (`list`), and is
   * unread no more. Of what is unread, as much as is counted.
   */
  async function readMuted(viewer: Viewer): Promise<void> {
    const hides = hidesTold(viewer);
    if (!hides) return;
    const page = { since: lowestId, limit: limits.notifications.unread };
    const unread = await queries.unreadSince(db, viewer.id, page);
    const ids = unread.filter(hides).map(({ id }) => id);
    if (ids.length === 0) return;
    await queries.markTheseRead(db, viewer.id, ids);
    unreadChanged([viewer.id]);
  }

  /** The messages of a conversation, when it was read there. */
  async function readConversation(viewer: Viewer, conversationId: string): Promise<void> {
    if (isId(conversationId)) await queries.markSubjectRead(db, viewer.id, conversationId);
  }

  /** As its owner may see it now, of one act or of all; null when it is read, taken back or hidden meanwhile. */
  async function findUnread(
    accountId: string,
    id: string,
    actId?: string,
  ): Promise<NotificationView | null> {
    return queries.findUnread(db, accountId, id, actId);
  }

  async function settings(viewer: Viewer): Promise<NotificationSettings> {
    return readSettings(db, viewer.id);
  }

  /** Changes those that are named. What was told already stays. */
  async function changeSettings(
    viewer: Viewer,
    wanted: z.input<typeof notificationSettingsInput>,
  ): Promise<NotificationSettings> {
    await writeSettings(db, viewer.id, parseInput(notificationSettingsInput, wanted));
    return readSettings(db, viewer.id);
  }

  /** Deletes what was read long ago. */
  const sweep = () =>
    queries.sweepRead(db, idAt(Date.now() - limits.notifications.daysKept * dayMs));

  return {
    mails,
    notify,
    notices,
    retract,
    acts,
    actsGathered,
    unread,
    dismiss,
    dismissAll,
    clear,
    list,
    open,
    markAllRead,
    readMuted,
    readConversation,
    findUnread,
    settings,
    changeSettings,
    sweep,
  };
}

/** Which of what was told has words in it, of somebody else's, that were muted since; null: none has. */
function hidesTold(viewer: Viewer): ((told: NotificationView) => boolean) | null {
  const muted = mutedWordsOf(viewer);
  return muted && (({ kind, text }) => ["comment", "mention"].includes(kind) && !!muted(text));
}

export type Notifications = ReturnType<typeof createNotifications>;
export type Notices = Notifications["notices"];
