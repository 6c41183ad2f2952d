import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { mutedWordsBy, noBlock, noMute, visibleAccount } from "#server/features/people/index.ts";
import { isPostVisible } from "#server/features/posts/index.ts";
import type { PostRef } from "#server/features/types.ts";
import type { NotificationKind } from "#shared/notification-kinds.ts";

export type Act = {
  /** of the follow, like, comment, post or message */
  id: string;
  actorId: string;
  /** the owner of what it happened to, who is notified; null: only those whom the text mentions */
  owner: { accountId: string; kind: NotificationKind; subjectId: string } | null;
  /** the author of the comment it answers */
  answered?: { accountId: string; subjectId: string } | null;
  /** the post it leads to */
  post: PostRef | null;
  /** usernames, present or former, in lower case */
  mentioned: string[];
  /** what a mention is of, where that is not the act: the post that was edited */
  subjectId?: string;
  /** usernames that were notified before */
  named?: string[];
  /** its text, which may have words that people muted */
  text?: string;
};

/** A recipient, and whether a browser or an app of theirs is subscribed. */
export type Recipient = {
  accountId: string;
  notificationId: string;
  kind: NotificationKind;
  pushed: boolean;
  apps: boolean;
};

/** Somebody who is not notified yet: the caller compares whether they muted words of it. */
type Waiting = { accountId: string; words: string[] };

/**
 * Of an existing account: never the actor, nobody who blocked or muted the actor, or switched this
 * kind off.
 */
export function wantsNotification(recipient: Sql, kind: Sql, actorId: string): Sql {
  return sql`(
    ${recipient} <> ${actorId}
    and ${noBlock(recipient, sql`${actorId}::uuid`)}
    and ${noMute(recipient, sql`${actorId}::uuid`)}
    and (
      select true from notification_settings s
      where s.account_id = ${recipient} and ${kind} = any(s.unwanted)
    ) is null
  )`;
}

/** Whether this recipient may see the post that an act is about. */
const maySeePost = (recipient: Sql, { authorId, postId }: PostRef) =>
  isPostVisible(recipient, sql`${authorId}::uuid`, sql`${postId}::uuid`);

/**
 * Those whom an act concerns, each once: as answered rather than mentioned, as mentioned rather
 * than owner. Its subject has one owner, and most acts concern nobody else.
 */
function concernedBy({ id, owner, answered, mentioned, subjectId = id, named = [] }: Act): Sql {
  const ownership = sql`
    select ${owner?.accountId ?? null}::uuid as account_id, ${owner?.kind ?? null}::text as kind,
      ${owner?.subjectId ?? null}::uuid as subject_id, 2 as rank
  `;
  if (!answered && mentioned.length === 0) return ownership;
  const answering = sql`
    union all
    select ${answered?.accountId ?? null}::uuid, 'comment', ${answered?.subjectId ?? null}::uuid, 0
  `;
  const names = sql`
    union all
    select account_id, 'mention', ${subjectId}::uuid, 1
    from usernames where username = any(${mentioned}::text[]) and account_id not in (
      select account_id from usernames where username = any(${named}::text[])
    )
  `;
  return sql`
    select distinct on (account_id) account_id, kind, subject_id
    from (${ownership} ${answering} ${mentioned.length > 0 ? names : sql``}) found
    where account_id is not null
    order by account_id, rank
  `;
}

/**
 * Those of the concerned who exist, want the notification and do not have it yet, with the words
 * that they muted where it has text; with `readers`, who were found to have muted none of it, only
 * these.
 */
function wantingOf({ id, actorId, post, text }: Act, readers: readonly string[] | undefined): Sql {
  const recipient = sql.ref("w.account_id");
  const asksWords = text !== undefined && !readers;
  return sql`
    select w.account_id, w.kind, w.subject_id,
      ${asksWords ? mutedWordsBy(recipient) : sql`null::text[]`} as words
    from concerned w
    cross join lateral (
      select 1 from accounts a where a.id = w.account_id and ${visibleAccount("a")} limit 1
    ) present
    where ${wantsNotification(recipient, sql.ref("w.kind"), actorId)}
      ${post ? sql`and ${maySeePost(recipient, post)}` : sql``}
      and (
        select true from notification_acts known
        where known.account_id = w.account_id and known.id = ${id}
      ) is null
      ${readers ? sql`and w.account_id = any(${readers}::uuid[])` : sql``}
  `;
}

/**
 * A conversation is in the list once: a read notification of it is replaced
 * (notifications_read_messages). Nobody else is notified.
 */
const replacedBy = ({ accountId, subjectId }: NonNullable<Act["owner"]>) => sql`
  replaced as (
    delete from notifications
    where account_id = ${accountId} and not unread
      and kind = 'message' and subject_id = ${subjectId} and exists (select from told)
  ),
`;

/** The end of an insert: unread ones of a subject are one (notifications_open). */
export const groupingUnread = sql`
  on conflict (account_id, kind, subject_id) where unread
    do update set latest_id = greatest(notifications.latest_id, excluded.latest_id)
  returning account_id, id, kind
`;

/** Of a row `gathered`, all but `apps`. */
export const recipient = sql`
  account_id as "accountId", id as "notificationId", kind,
  coalesce((
    select true from push_subscriptions s where s.account_id = gathered.account_id limit 1
  ), false) as pushed
`;

/**
 * PostgreSQL plans a statement by its parameters: one without mentions is not planned for ten, nor one
 * without a post as if it had one, which it would plan anew for each message.
 */
const nameOf = ({ owner, answered, post, mentioned, text }: Act, readers?: readonly string[]) =>
  [
    "notifications.tell",
    post && "of-post",
    owner?.kind === "message" && "message",
    answered && "answered",
    mentioned.length > 0 && "named",
    text !== undefined && "words",
    readers && "readers",
  ]
    .filter(Boolean)
    .join("-");

/**
 * Notifies everybody an act concerns, in one statement: never the actor, nobody who blocked or
 * muted the actor, may not see the post, or switched this kind off. Unread notifications group
 * further acts (notifications_open). Those who muted words are not notified yet where there is
 * text: they are answered with their words, and notified where they are among the `readers` of a
 * second statement.
 */
export async function insertAct(db: Database, act: Act, readers?: readonly string[]) {
  const { id, actorId, owner, post } = act;
  const name = nameOf(act, readers);
  const rows = await db.query<(Recipient & { words: null }) | Waiting>(sql.named(name)`
    with concerned as materialized (${concernedBy(act)}),
    wanting as materialized (${wantingOf(act, readers)}),
    told as materialized (
      select account_id, kind, subject_id from wanting where words is null
    ),
    ${owner?.kind === "message" ? replacedBy(owner) : sql``}
    gathered as (
      insert into notifications
        (account_id, id, kind, subject_id, author_id, post_id, latest_id)
      select account_id, ${id}::uuid, kind, subject_id,
        ${post?.authorId ?? null}::uuid, ${post?.postId ?? null}::uuid, ${id}::uuid
      from told
      order by account_id
      ${groupingUnread}
    ),
    acted as (
      insert into notification_acts (account_id, id, notification_id, actor_id)
      select account_id, ${id}::uuid, id, ${actorId}::uuid from gathered
    )
    select ${recipient},
      coalesce((
        select true from app_push_subscriptions s where s.account_id = gathered.account_id limit 1
      ), false) as apps,
      null::text[] as words
    from gathered
    union all
    select account_id, null, null, null, null, words from wanting where words is not null
  `);
  return {
    recipients: rows.filter((row) => row.words === null),
    waiting: rows.filter((row) => row.words !== null),
  };
}
