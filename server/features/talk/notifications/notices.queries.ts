import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { albumOpenTo, visibleAccount } from "#server/features/people/index.ts";
import {
  groupingUnread,
  recipient,
  wantsNotification,
  type Recipient,
} from "#server/features/talk/notifications/notify.queries.ts";
import type { AlbumRef } from "#server/features/types.ts";
import type { NoticeKind } from "#shared/notification-kinds.ts";

/* Notifications of what has no text: what concerns an album, and what no member did. */

export type AlbumAct = {
  kind: "album" | "invited";
  /** of the membership, or of the first photo's addition */
  id: string;
  actorId: string;
  album: AlbumRef;
  accountIds: readonly string[];
};

/**
 * Notifies those of these accounts who may see an album, as insertAct does. An album stands where a post does: the
 * release before finds no such post, and shows nothing.
 */
export const insertAlbumAct = (db: Database, { kind, id, actorId, album, accountIds }: AlbumAct) =>
  db.query<Recipient>(sql`
    with gathered as (
      insert into notifications
        (account_id, id, kind, subject_id, author_id, post_id, latest_id)
      select a.id, ${id}::uuid, ${kind}, ${album.albumId}::uuid,
        ${album.ownerId}::uuid, ${album.albumId}::uuid, ${id}::uuid
      from accounts a
      join albums al on al.owner_id = ${album.ownerId} and al.id = ${album.albumId}
      where a.id = any(${[...accountIds]}::uuid[]) and ${visibleAccount("a")}
        and ${wantsNotification(sql`a.id`, sql`${kind}`, actorId)} and ${albumOpenTo(sql`a.id`)}
      order by a.id
      ${groupingUnread}
    ), acted as (
      insert into notification_acts (account_id, id, notification_id, actor_id)
      select account_id, ${id}::uuid, id, ${actorId}::uuid from gathered
    )
    select ${recipient}, false as apps from gathered
  `);

type NewNotice = {
  kind: NoticeKind;
  accountIds: readonly string[];
  id: string;
  subjectId: string | null;
};

/**
 * Notifies these accounts of something that no member did: the act is their own, which nobody can
 * hide from them. Unread ones of a kind are one (notifications_open), or one a subject where it has
 * one; suspended accounts read it when they are back.
 */
export const insertNotice = (db: Database, { kind, accountIds, id, subjectId }: NewNotice) =>
  db.query<Recipient>(sql`
    with gathered as (
      insert into notifications (account_id, id, kind, subject_id, latest_id)
      select a.id, ${id}::uuid, ${kind}, coalesce(${subjectId}::uuid, a.id), ${id}::uuid
      from accounts a
      where a.id = any(${accountIds}::uuid[]) and a.deleted_at is null
      order by a.id
      ${groupingUnread}
    ), acted as (
      insert into notification_acts (account_id, id, notification_id, actor_id)
      select account_id, ${id}::uuid, id, account_id from gathered
    )
    select ${recipient}, false as apps from gathered
  `);
