import type { z } from "zod";
import { idBelow, lowestId, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { unlessReadOnly } from "#server/platform/db/database-faults.ts";
import { idAt, isId, newId } from "#server/platform/db/ids.ts";
import { mutedWordsOf, filteredPage } from "#server/features/people/index.ts";
import * as actQueries from "#server/features/talk/notifications/acts.queries.ts";
import type {
  ActRange,
  NotificationAct,
  UnreadRange,
} from "#server/features/talk/notifications/acts.queries.ts";
import * as queries from "#server/features/talk/notifications/notifications.queries.ts";
import {
  readSettings,
  writeSettings,
} from "#server/features/talk/notifications/settings.queries.ts";
import { deleteActs } from "#server/features/talk/notifications/retract.queries.ts";
import {
  noticesOf,
  notifyOf,
  retractOf,
  unreadChanged,
  type NotifyDeps,
} from "#server/features/talk/notifications/notify.ts";
import { limits } from "#shared/limits.ts";
import type { NotificationKind } from "#shared/notification-kinds.ts";
import { notificationSettingsInput } from "#shared/notifications.inputs.ts";
import type { NotificationSettings, NotificationView } from "#shared/notifications.ts";
import { parseInput } from "#shared/inputs.ts";
import type { Page, Viewer } from "#shared/views.ts";

const dayMs = 24 * 60 * 60 * 1000;
const { page: size } = limits.notifications;

type Deps = NotifyDeps & {
  /** this installation sends mail: a daily email can be chosen */
  mails?: boolean;
};

/** Which notifications: all, or those that mention the member. */
type NotificationList = "all" | "mentions";

/**
 * Notifications of members, written and retracted in the transaction of the act. Acts of one kind
 * around one thing are grouped in one notification until it is read.
 */
export function createNotifications({ mails = false, ...deps }: Deps) {
  const { db } = deps;
  return {
    mails,
    notify: notifyOf(deps),
    notices: noticesOf(deps),
    retract: retractOf(deps),
    ...reading(deps),
    ...dismissing(deps),
    ...gathered(db),

    settings: (viewer: Viewer): Promise<NotificationSettings> => readSettings(db, viewer.id),

    /** Changes those that are named. Existing notifications stay. */
    changeSettings: async (
      viewer: Viewer,
      wanted: z.input<typeof notificationSettingsInput>,
    ): Promise<NotificationSettings> => {
      await writeSettings(db, viewer.id, parseInput(notificationSettingsInput, wanted));
      return readSettings(db, viewer.id);
    },

    /** Deletes what was read long ago. */
    sweep: () =>
      queries.sweepRead(db, idAt(Date.now() - limits.notifications.retentionDays * dayMs)),
  };
}

export type Notifications = ReturnType<typeof createNotifications>;
export type Notices = Notifications["notices"];

/** For callers that group acts otherwise, or not at all. */
function gathered(db: Database) {
  return {
    /** Acts of these kinds, one by one, newest first. */
    acts: (viewer: Viewer, range: ActRange): Promise<NotificationAct[]> =>
      actQueries.actsOf(db, viewer.id, range),

    /** Those that are grouped in one notification, newest first, wherever it is in the list. */
    actsGathered: (
      viewer: Viewer,
      range: Parameters<typeof actQueries.actsGathered>[2],
    ): Promise<NotificationAct[]> => actQueries.actsGathered(db, viewer.id, range),

    /** How many acts are unread, up to the limit of counting. */
    unread: (viewer: Viewer, range: UnreadRange): Promise<number> =>
      actQueries.unreadActs(db, viewer.id, range),

    /** As its owner may see it now, of one act or of all; null when it is read, taken back or hidden meanwhile. */
    findUnread: (accountId: string, id: string, actId?: string): Promise<NotificationView | null> =>
      queries.findUnread(db, accountId, id, actId),
  };
}

/** Deletes notifications from their recipient's list. */
function dismissing(deps: NotifyDeps) {
  const { db } = deps;
  return {
    /** One act. */
    async dismiss(viewer: Viewer, actId: string): Promise<void> {
      if (isId(actId)) unreadChanged(deps, await deleteActs(db, viewer.id, [actId]));
    },

    /** These notifications, with all acts grouped in them. */
    async dismissAll(viewer: Viewer, ids: readonly string[]): Promise<void> {
      const own = ids.filter(isId);
      if (own.length === 0) return;
      await actQueries.deleteThese(db, viewer.id, own);
      unreadChanged(deps, [viewer.id]);
    },

    /** All of these kinds. */
    async clear(viewer: Viewer, kinds: readonly NotificationKind[]): Promise<void> {
      await actQueries.deleteAll(db, viewer.id, kinds);
      unreadChanged(deps, [viewer.id]);
    },
  };
}

/** A member's list of notifications, 20 a page. */
function reading(deps: NotifyDeps) {
  const { db } = deps;

  /** Newest first. */
  async function list(
    viewer: Viewer,
    which: NotificationList,
    cursor: string | null,
  ): Promise<Page<NotificationView>> {
    const mentions = which === "mentions";
    return filteredPage(hidesNotification(viewer), { cursor, size }, async (from, count) => {
      const page = { viewerId: viewer.id, mentions, below: idBelow(from), limit: count + 1 };
      return toPage(await queries.notificationsOf(db, page), count);
    });
  }

  /**
   * A page as somebody opens it: what is new on it is still marked so. It and everything below it
   * is marked as read, so that the bell says 0; `unread` came meanwhile, or are not of this list.
   */
  async function open(viewer: Viewer, which: NotificationList, cursor: string | null) {
    // What comes while the page is being read is not shown on it.
    const to = cursor === null ? newId() : idBelow(cursor);
    const page = await list(viewer, which, cursor);
    const marked = queries.markRead(db, {
      viewerId: viewer.id,
      to,
      mentions: which === "mentions",
    });
    const unread = await unlessReadOnly(marked, viewer.unreadNotifications ?? 0);
    unreadChanged(deps, [viewer.id]);
    return { page, unread };
  }

  /** Marks everything that is there now as read; answers how many are unread after it. */
  async function markAllRead(viewer: Viewer): Promise<{ unread: number }> {
    const all = { viewerId: viewer.id, to: newId(), mentions: false };
    const unread = await queries.markRead(db, all);
    unreadChanged(deps, [viewer.id]);
    return { unread };
  }

  return {
    list,
    open,
    markAllRead,
    readMuted: (viewer: Viewer) => readMuted(deps, viewer),
    /** Marks the messages of a conversation as read, when they were read there. */
    readConversation: async (viewer: Viewer, conversationId: string): Promise<void> => {
      if (isId(conversationId)) await queries.markSubjectRead(db, viewer.id, conversationId);
    },
  };
}

/**
 * Notifications that a member got before muting words in them: they leave the list, and are not
 * unread any more. Of unread ones, as many as are counted.
 */
async function readMuted(deps: NotifyDeps, viewer: Viewer): Promise<void> {
  const hides = hidesNotification(viewer);
  if (!hides) return;
  const page = { since: lowestId, limit: limits.notifications.unread };
  const unread = await queries.unreadSince(deps.db, viewer.id, page);
  const ids = unread.filter(hides).map(({ id }) => id);
  if (ids.length === 0) return;
  await queries.markTheseRead(deps.db, viewer.id, ids);
  unreadChanged(deps, [viewer.id]);
}

/** Those notifications with text of others that has words muted since; null: none has. */
function hidesNotification(viewer: Viewer): ((notification: NotificationView) => boolean) | null {
  const muted = mutedWordsOf(viewer);
  return muted && (({ kind, text }) => ["comment", "mention"].includes(kind) && !!muted(text));
}
