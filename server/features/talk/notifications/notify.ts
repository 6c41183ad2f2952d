import type { Database } from "#server/platform/db/database.ts";
import type { Publish } from "#server/features/change-hint.ts";
import { newId } from "#server/platform/db/ids.ts";
import { mutedWordsOf } from "#server/features/people/index.ts";
import * as retracted from "#server/features/talk/notifications/retract.queries.ts";
import * as notices from "#server/features/talk/notifications/notices.queries.ts";
import * as queries from "#server/features/talk/notifications/notify.queries.ts";
import type { AlbumRef, Notifier, PostRef } from "#server/features/types.ts";
import { mentionedIn } from "#shared/mentions.ts";
import type { NoticeKind, NotificationKind } from "#shared/notification-kinds.ts";

export type NotifyDeps = {
  db: Database;
  /** Called in the transaction of an act for all recipients with a subscribed browser. */
  onPush?: (notified: queries.Recipient) => Promise<void>;
  /** The same for recipients with a subscribed app, with the act. */
  onAppPush?: (notified: queries.Recipient, actId: string) => Promise<void>;
  /** Publishes to a member's streams, after the act's commit, that the unread count changed. */
  publish?: Publish;
};

/** `actId`: what they were notified of */
export function unreadChanged(
  { publish }: Pick<NotifyDeps, "publish">,
  accountIds: readonly string[],
  actId?: string,
): void {
  for (const accountId of accountIds) {
    publish?.({ kind: "unread", accountId, ...(actId === undefined ? {} : { actId }) });
  }
}

/**
 * One statement where anybody is concerned, none where nobody is. Runs in the act's transaction,
 * after the locks of the act itself.
 */
async function notify(deps: NotifyDeps, act: queries.Act): Promise<void> {
  const other = <Part extends { accountId: string }>(part: Part | null | undefined) =>
    part?.accountId === act.actorId ? null : part;
  const [owner, answered] = [other(act.owner) ?? null, other(act.answered) ?? null];
  if (!owner && !answered && act.mentioned.length === 0) return;
  const notified = await notifyReaders(deps.db, { ...act, owner, answered });
  // Streams read messages themselves, and send the unread count with them.
  const others = notified.flatMap(({ kind, accountId }) => (kind === "message" ? [] : accountId));
  unreadChanged(deps, others, act.id);
  for (const one of notified) {
    // The tenth like of a photo needs no second push: it rings once until it is read.
    const news = one.notificationId === act.id || one.kind === "comment" || one.kind === "message";
    if (one.pushed && news) await deps.onPush?.(one);
    // Apps list each act by itself, and do not report what was read.
    if (one.apps) await deps.onAppPush?.(one, act.id);
  }
}

/**
 * Those who muted words in the text are not notified, as with muted people. A second statement
 * where somebody muted other words.
 */
async function notifyReaders(db: Database, act: queries.Act): Promise<queries.Recipient[]> {
  const { recipients: notified, waiting } = await queries.insertAct(db, act);
  const reading = waiting
    .filter(({ words }) => !mutedWordsOf({ mutedWords: words })?.(act.text ?? ""))
    .map(({ accountId }) => accountId);
  if (reading.length === 0) return notified;
  return [...notified, ...(await queries.insertAct(db, act, reading)).recipients];
}

type Comment = { id: string; accountId: string };
type Subject = { accountId: string; subjectId: string };

const ofPost = ({ authorId, postId }: PostRef): Subject => ({
  accountId: authorId,
  subjectId: postId,
});
const ofComment = ({ accountId, id }: Comment): Subject => ({ accountId, subjectId: id });
const names = (text: string) => ({ mentioned: mentionedIn(text), text });

/** Notifications that only the owner of the subject gets. */
const toOwner = (
  kind: NotificationKind,
  { id, actorId, post }: { id: string; actorId: string; post: PostRef | null },
  subject: Subject,
): queries.Act => ({ id, actorId, post, owner: { ...subject, kind }, mentioned: [] });

const followed = (actorId: string, accountId: string, id: string) =>
  toOwner("follow", { id, actorId, post: null }, { accountId, subjectId: accountId });

const requested = (actorId: string, accountId: string, id: string) =>
  toOwner("request", { id, actorId, post: null }, { accountId, subjectId: accountId });

const accepted = (actorId: string, accountId: string, id: string) =>
  toOwner("accepted", { id, actorId, post: null }, { accountId, subjectId: accountId });

const liked = (actorId: string, post: PostRef, id: string) =>
  toOwner("like", { id, actorId, post }, ofPost(post));

const commentLiked = (actorId: string, post: PostRef, comment: Comment, id: string) =>
  toOwner("like", { id, actorId, post }, ofComment(comment));

const suggestedAlt = (actorId: string, post: PostRef, id: string) =>
  toOwner("alt", { id, actorId, post }, ofPost(post));

/** `id` is the message's; the notification is of the conversation `subjectId`, until it is read. */
const wrote = (actorId: string, accountId: string, subjectId: string, id: string) =>
  toOwner("message", { id, actorId, post: null }, { accountId, subjectId });

/**
 * The author of the answered comment is notified only of the answer, even if mentioned in it or
 * author of the post.
 */
const commented = (
  actorId: string,
  post: PostRef,
  id: string,
  body: string,
  answered: Comment | null,
): queries.Act => ({
  ...toOwner("comment", { id, actorId, post }, ofPost(post)),
  answered: answered && ofComment(answered),
  ...names(body),
});

const commentEdited = (
  actorId: string,
  { id, ...post }: PostRef & { id: string },
  body: string,
  before: string,
): queries.Act => ({
  id: newId(),
  actorId,
  owner: null,
  post,
  ...names(body),
  subjectId: id,
  named: mentionedIn(before),
});

const posted = (post: PostRef, caption: string): queries.Act => ({
  id: post.postId,
  actorId: post.authorId,
  owner: null,
  post,
  ...names(caption),
});

/** A new notification, whenever the post was made. */
const edited = (post: PostRef, caption: string, before: readonly string[]): queries.Act => ({
  ...posted(post, caption),
  id: newId(),
  subjectId: post.postId,
  named: before.flatMap(mentionedIn),
});

type Notify = Notifier["notify"] & {
  wrote: (...act: Parameters<typeof wrote>) => Promise<void>;
};

/** The acts of the other features, by their names. */
export function notifyOf(deps: NotifyDeps): Notify {
  const notified =
    <Args extends unknown[]>(act: (...args: Args) => queries.Act) =>
    (...args: Args) =>
      notify(deps, act(...args));
  return {
    followed: notified(followed),
    requested: notified(requested),
    accepted: notified(accepted),
    liked: notified(liked),
    commented: notified(commented),
    commentLiked: notified(commentLiked),
    commentEdited: notified(commentEdited),
    posted: notified(posted),
    edited: notified(edited),
    suggestedAlt: notified(suggestedAlt),
    wrote: notified(wrote),
    invitedToAlbum: (actorId, album, accountId, id) =>
      notifyOfAlbum(deps, { kind: "invited", actorId, album, accountIds: [accountId], id }),
    addedToAlbum: (actorId, album, accountIds, id) =>
      notifyOfAlbum(deps, { kind: "album", actorId, album, accountIds, id }),
  };
}

async function ring(deps: NotifyDeps, notified: readonly queries.Recipient[]): Promise<void> {
  unreadChanged(
    deps,
    notified.map(({ accountId }) => accountId),
  );
  for (const one of notified) if (one.pushed) await deps.onPush?.(one);
}

/** What concerns those in an album, whoever of them may see it. Apps know no albums. */
async function notifyOfAlbum(deps: NotifyDeps, act: notices.AlbumAct): Promise<void> {
  if (act.accountIds.length === 0) return;
  await ring(deps, await notices.insertAlbumAct(deps.db, act));
}

/** What no member did: not subject to a member's switches, in the caller's transaction. */
async function sendNotice(
  deps: NotifyDeps,
  kind: NoticeKind,
  accountIds: readonly string[],
  { id = newId(), subjectId = null }: { id?: string; subjectId?: string | null },
): Promise<void> {
  if (accountIds.length === 0) return;
  await ring(deps, await notices.insertNotice(deps.db, { kind, accountIds, id, subjectId }));
}

export function noticesOf(deps: NotifyDeps) {
  return {
    /** Moderators decided something about an account. */
    decided: (accountId: string, id: string) => sendNotice(deps, "verdict", [accountId], { id }),
    /** Something waits for moderators. */
    waiting: (moderatorIds: readonly string[], id: string) =>
      sendNotice(deps, "report", moderatorIds, { id }),
    /** Something is, or was, wrong with the server: `troubleId` names it. */
    trouble: (kind: "trouble" | "recovery", operatorIds: readonly string[], troubleId: string) =>
      sendNotice(deps, kind, operatorIds, { subjectId: troubleId }),
  };
}

/** Deletes the notifications of an act, in the transaction that undoes it. */
export function retractOf(deps: NotifyDeps) {
  const { db } = deps;
  const acts = async (accountId: string, ids: readonly string[]) => {
    if (ids.length > 0) unreadChanged(deps, await retracted.deleteActs(db, accountId, ids));
  };
  return {
    /** a follow, a request, a like, a suggestion, a message: one recipient */
    act: (accountId: string, id: string) => acts(accountId, [id]),
    acts,
    comments: async (post: PostRef, ids: readonly string[] | "all") =>
      unreadChanged(
        deps,
        ids === "all"
          ? await retracted.deleteCommentsOfPost(db, post)
          : await retracted.deleteCommentActs(db, { ...post, ids }),
      ),
    post: async (post: PostRef) => unreadChanged(deps, await retracted.deleteOfPost(db, post)),
    album: async ({ ownerId, albumId }: AlbumRef) =>
      unreadChanged(deps, await retracted.deleteOfPost(db, { authorId: ownerId, postId: albumId })),
    /** everything between the two */
    between: async (one: string, other: string) =>
      unreadChanged(deps, await retracted.deleteBetween(db, one, other)),
  };
}
