import { sql, type Sql } from "#server/db/sql.ts";
import type { Database } from "#server/db/database.ts";
import { mutedWordsBy, noBlock, noMute, visibleAccount } from "#server/features/people/index.ts";
import type { NoticeKind, NotificationKind } from "#shared/notification-kinds.ts";

export type Act = {
  /** of the follow, like, comment, post or message */
  id: string;
  actorId: string;
  /** who is told for owning what it happened to; null: nobody but whom the text names */
  owner: { accountId: string; kind: NotificationKind; subjectId: string } | null;
  /** whose comment it answers */
  answered?: { accountId: string; subjectId: string } | null;
  /** the post it leads to */
  post: { authorId: string; postId: string } | null;
  /** usernames, present or former, in lower case */
  mentioned: string[];
  /** what a mention is of, where that is not the act: the post that was edited */
  subjectId?: string;
  /** usernames that were told of it before */
  named?: string[];
  /** what it says, in words that people may have muted */
  text?: string;
};

/** Whom it was told, and whether a browser of theirs waits for it, or an app. */
export type Told = {
  accountId: string;
  notificationId: string;
  kind: NotificationKind;
  pushed: boolean;
  apps: boolean;
};

/** Who is not told yet: whether they muted what it says, is for whoever knows to compare it. */
type Waiting = { accountId: string; words: string[] };

/** Of an account that is there: never who did it, nobody who blocked or muted them, or wants no such things. */
function wantsToHear(recipient: Sql, kind: Sql, actorId: string): Sql {
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

const browserWaits = (accountId: Sql) => sql`(
  select true from push_subscriptions s where s.account_id = ${accountId} limit 1
)`;
const appWaits = (accountId: Sql) => sql`(
  select true from app_push_subscriptions s where s.account_id = ${accountId} limit 1
)`;

/** Of a notification `n`: the act that is `gone` was its only one. */
const isEmptied = sql`(
  select true from notification_acts other
  where other.account_id = gone.account_id
    and other.notification_id = gone.notification_id and other.id <> gone.id
  limit 1
) is null`;

/**
 * Tells an act to everybody it concerns, in one statement: never to the one who did it, to nobody
 * who blocked or muted them, who may not see the post, or does not want to be told of such things.
 * Each is told it once: as answered before named, as named before owner. Unread ones gather more acts (notifications_open); a
 * conversation stands once, so that its new message takes the place of what was read
 * (notifications_read_messages). Who muted words is not told of what has some, until they stand among
 * `compared`: they are answered with their words, all in the same statement.
 */
export async function insertAct(
  db: Database,
  act: Act,
  compared: readonly string[] = [],
): Promise<{ told: Told[]; waiting: Waiting[] }> {
  const { id, actorId, owner, answered, post, mentioned, subjectId = id, named = [], text } = act;
  const recipient = sql.ref("w.account_id");
  // What names nobody has a statement of its own: PostgreSQL expects ten names of any list, so that
  // it would plan the one for both anew each time, which takes six times as long as running it.
  const names = sql`
    union all
    select account_id, 'mention', ${subjectId}::uuid, 1
    from usernames where username = any(${mentioned}::text[]) and account_id not in (
      select account_id from usernames where username = any(${named}::text[])
    )
  `;
  const rows = await db.prepared<(Told & { words: null }) | Waiting>(
    mentioned.length > 0 ? "notifications.tell-named" : "notifications.tell",
    sql`
      with concerned as materialized (
        select distinct on (account_id) account_id, kind, subject_id
        from (
          values
            (${owner?.accountId ?? null}::uuid, ${owner?.kind ?? null}::text,
              ${owner?.subjectId ?? null}::uuid, 2),
            (${answered?.accountId ?? null}::uuid, 'comment', ${answered?.subjectId ?? null}::uuid, 0)
          ${mentioned.length > 0 ? names : sql``}
        ) found (account_id, kind, subject_id, rank)
        where account_id is not null
        order by account_id, rank
      ),
      wanting as materialized (
        select w.account_id, w.kind, w.subject_id, case
          when ${text !== undefined}::boolean and w.account_id <> all(${compared}::uuid[])
          then ${mutedWordsBy(recipient)}
        end as words
        from concerned w
        cross join lateral (
          select 1 from accounts a where a.id = w.account_id and ${visibleAccount("a")} limit 1
        ) present
        where ${wantsToHear(recipient, sql.ref("w.kind"), actorId)}
          and ${noBlock(recipient, sql`${post?.authorId ?? null}::uuid`)}
          and (
            select true from notification_acts known
            where known.account_id = w.account_id and known.id = ${id}
          ) is null
      ),
      told as materialized (
        select account_id, kind, subject_id from wanting where words is null
      ),
      replaced as (
        -- of the owner: nobody else is told of a message
        delete from notifications
        where account_id = ${owner?.accountId ?? null}::uuid and not unread
          and kind = 'message' and subject_id = ${owner?.subjectId ?? null}::uuid
          and exists (select from told where kind = 'message')
      ),
      gathered as (
        insert into notifications
          (account_id, id, kind, subject_id, author_id, post_id, latest_id)
        select account_id, ${id}::uuid, kind, subject_id,
          ${post?.authorId ?? null}::uuid, ${post?.postId ?? null}::uuid, ${id}::uuid
        from told
        order by account_id
        on conflict (account_id, kind, subject_id) where unread
          do update set latest_id = greatest(notifications.latest_id, excluded.latest_id)
        returning account_id, id, kind
      ),
      acted as (
        insert into notification_acts (account_id, id, notification_id, actor_id)
        select account_id, ${id}::uuid, id, ${actorId}::uuid from gathered
      )
      select account_id as "accountId", id as "notificationId", kind,
        coalesce(${browserWaits(sql.ref("gathered.account_id"))}, false) as pushed,
        coalesce(${appWaits(sql.ref("gathered.account_id"))}, false) as apps,
        null::text[] as words
      from gathered
      union all
      select account_id, null, null, null, null, words from wanting where words is not null
    `,
  );
  return {
    told: rows.filter((row) => row.words === null),
    waiting: rows.filter((row) => row.words !== null),
  };
}

type NewNotice = {
  kind: NoticeKind;
  accountIds: readonly string[];
  id: string;
  subjectId: string | null;
};

/**
 * Tells these accounts something that nobody did: the act is their own, which nobody can hide from
 * them. Unread ones of a kind are one (notifications_open), or one a subject where it has one; suspended
 * accounts read it when they are back.
 */
export async function insertNotice(
  db: Database,
  { kind, accountIds, id, subjectId }: NewNotice,
): Promise<Told[]> {
  const rows = await db.query<Told>(sql`
    with gathered as (
      insert into notifications (account_id, id, kind, subject_id, latest_id)
      select a.id, ${id}::uuid, ${kind}, coalesce(${subjectId}::uuid, a.id), ${id}::uuid
      from accounts a
      where a.id = any(${accountIds}::uuid[]) and a.deleted_at is null
      order by a.id
      on conflict (account_id, kind, subject_id) where unread
        do update set latest_id = greatest(notifications.latest_id, excluded.latest_id)
      returning account_id, id, kind
    ), acted as (
      insert into notification_acts (account_id, id, notification_id, actor_id)
      select account_id, ${id}::uuid, id, account_id from gathered
    )
    select account_id as "accountId", id as "notificationId", kind,
      coalesce(${browserWaits(sql.ref("gathered.account_id"))}, false) as pushed, false as apps
    from gathered
  `);
  return rows;
}

/** Whose notifications went. */
type Gone = { accountId: string };

const ownersOf = (gone: readonly Gone[]) => [...new Set(gone.map(({ accountId }) => accountId))];

/**
 * The end of a statement whose `gone` are the deleted acts of one id: who has no other goes, too.
 * Answers whose.
 */
const deleteEmptied = sql`
  delete from notifications n using gone
  where n.account_id = gone.account_id and n.id = gone.notification_id and ${isEmptied}
  returning n.account_id as "accountId"
`;

/**
 * Takes back what was told somebody of an act; a notification without another act goes with it.
 * Primary key of notification_acts.
 */
export async function deleteAct(db: Database, accountId: string, id: string): Promise<string[]> {
  const gone = await db.prepared<Gone>(
    "notifications.take-back",
    sql`
      with gone as (
        delete from notification_acts where account_id = ${accountId} and id = ${id}
        returning account_id, id, notification_id
      )
      ${deleteEmptied}
    `,
  );
  return ownersOf(gone);
}

/**
 * The same for comments of a post: that they were written, to whomever it was told, and what was
 * told their writers of them. notifications_by_post.
 */
export async function deleteCommentActs(
  db: Database,
  { authorId, postId, ids }: { authorId: string; postId: string; ids: readonly string[] },
): Promise<string[]> {
  const gone = await db.prepared<Gone>(
    "notifications.take-back-comments",
    sql`
      with about as materialized (
        select account_id, id, subject_id from notifications
        where author_id = ${authorId} and post_id = ${postId}
      ), gone as (
        delete from notification_acts acts using about n
        where acts.account_id = n.account_id and acts.notification_id = n.id
          and acts.id = any(${ids}::uuid[])
        returning acts.account_id, acts.id, acts.notification_id
      )
      delete from notifications n using about
      where n.account_id = about.account_id and n.id = about.id
        and (
          about.subject_id = any(${ids}::uuid[])
          or (n.account_id, n.id) in (select account_id, notification_id from gone)
            and (
              select true from notification_acts other
              where other.account_id = n.account_id and other.notification_id = n.id
                and other.id <> all(${ids}::uuid[])
              limit 1
            ) is null
        )
      returning n.account_id as "accountId"
    `,
  );
  return ownersOf(gone);
}

/** Everything told about the comments of a post, to whomever: notifications_by_post. */
export async function deleteCommentsOfPost(
  db: Database,
  { authorId, postId }: { authorId: string; postId: string },
): Promise<string[]> {
  // Likes of the post, and a mention in its caption, have the post for their subject.
  const gone = await db.query<Gone>(sql`
    delete from notifications
    where author_id = ${authorId} and post_id = ${postId}
      and (kind = 'comment' or (kind in ('like', 'mention') and subject_id <> ${postId}))
    returning account_id as "accountId"
  `);
  return ownersOf(gone);
}

/** Everything told about a post, to whomever: notifications_by_post, its acts by cascade. */
export async function deleteOfPost(
  db: Database,
  { authorId, postId }: { authorId: string; postId: string },
): Promise<string[]> {
  const gone = await db.query<Gone>(sql`
    delete from notifications
    where author_id = ${authorId} and post_id = ${postId}
    returning account_id as "accountId"
  `);
  return ownersOf(gone);
}

/** What two accounts were told of one another, both ways: notification_acts_by_actor. */
export async function deleteBetween(db: Database, one: string, other: string): Promise<string[]> {
  const rows = await db.query<Gone>(sql`
    with gone as (
      delete from notification_acts
      where (actor_id = ${one} and account_id = ${other})
        or (actor_id = ${other} and account_id = ${one})
      returning account_id, id, notification_id
    )
    delete from notifications n
    where (n.account_id, n.id) in (select account_id, notification_id from gone)
      and (
        select true from notification_acts left_over
        where left_over.account_id = n.account_id and left_over.notification_id = n.id
          and (left_over.account_id, left_over.id) not in (select account_id, id from gone)
        limit 1
      ) is null
    returning n.account_id as "accountId"
  `);
  return ownersOf(rows);
}
