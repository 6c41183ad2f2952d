import { lowestId } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { sql, type Sql } from "#server/platform/db/sql.ts";
import { idTime, ms } from "#server/platform/db/times.ts";
import { inAudience, muteLasts, visibleAccount, visibleTo } from "#server/features/people/index.ts";

/** A row of a list: its `id`, under its `postId` where it has one, is where the next page continues. */
export type Listed = { id: string; postId?: string; item: Record<string, unknown> | null };
type Page = { accountId: string; after: Listed | null; limit: number };
type List = (db: Database, page: Page) => Promise<Listed[]>;

/** Rows `r` of an owner. Where its subject cannot be seen, its item is null or has no name in it. */
type Parts = { from: Sql; item: Sql; owner?: string };

const listOf =
  (parts: (page: Page) => Parts): List =>
  (db, page) => {
    const { from, item, owner = "account_id" } = parts(page);
    return db.query<Listed>(sql`
      select r.id, ${item} as item
      from ${from}
      where ${sql.ref(`r.${owner}`)} = ${page.accountId} and r.id > ${page.after?.id ?? lowestId}
      order by r.id
      limit ${page.limit}
    `);
  };

const nameOf = sql`coalesce(nullif(a.full_name, ''), a.username)`;
const account = sql`case when a.id is not null
  then json_build_object('username', a.username, 'name', ${nameOf}) end`;
const postRef = sql`case when a.id is not null
  then json_build_object('author', a.username, 'number', p.number) end`;

/** With the post that each row is about, and its author: where either cannot be seen, neither is included. */
const aboutPosts = (from: Sql | ((page: Page) => Sql), item: Sql): List =>
  listOf((page) => ({
    from: sql`${typeof from === "function" ? from(page) : from} r
      left join posts p on p.author_id = r.author_id and p.id = r.post_id
      left join accounts a on a.id = p.author_id and ${visibleTo(page.accountId, "a")}
        and ${inAudience(page.accountId, "p", "a")}`,
    item: sql`json_build_object(${item}'post', ${postRef})`,
  }));

/** The accounts in a column; those behind a block only where `hidden` says so. */
const accountList = (
  from: Sql,
  other: string,
  { owner = "account_id", hidden = false } = {},
): List =>
  listOf(({ accountId }) => ({
    from: sql`${from} r left join accounts a on a.id = ${sql.ref(`r.${other}`)}
      and ${hidden ? visibleAccount("a") : visibleTo(accountId, "a")}`,
    item: account,
    owner,
  }));

/**
 * Comments by others under the account's posts: post after post, each from its first comment on, in the
 * order of the primary key of comments.
 */
const readReceived = (db: Database, { accountId, after, limit }: Page) =>
  db.query<Listed>(sql`
    select r.id, r.post_id as "postId", case when a.id is not null then json_build_object(
      'id', r.id, 'under', r.root_id, 'time', ${ms("r.created_at")},
      'editedAt', ${ms("r.edited_at")}, 'text', r.body, 'language', r.language,
      'post', p.number, 'username', a.username, 'name', ${nameOf}
    ) end as item
    from (
      select * from comments
      where author_id = ${accountId}
        and (post_id, id) > (${after?.postId ?? lowestId}::uuid, ${after?.id ?? lowestId}::uuid)
      order by post_id, id
      limit ${limit}
    ) r
    join posts p on p.author_id = r.author_id and p.id = r.post_id
    left join accounts a on a.id = r.account_id and ${visibleTo(accountId, "a")}
    order by r.post_id, r.id
  `);

/**
 * What the account did, wrote, liked and bookmarked, whom it follows, blocks, mutes and dismissed: each
 * oldest first.
 */
export const lists = {
  /** Index comments_by_account. */
  comments: aboutPosts(
    sql`comments`,
    sql`'id', r.id, 'under', r.root_id, 'time', ${ms("r.created_at")},
      'editedAt', ${ms("r.edited_at")}, 'text', r.body, 'language', r.language, `,
  ),
  /** Index likes_by_account. */
  likes: aboutPosts(sql`likes`, sql``),
  /** Index comment_likes_by_account. */
  "comment-likes": aboutPosts(sql`comment_likes`, sql`'comment', r.comment_id, `),
  /**
   * Its alt text suggestions for others' photos that nobody has accepted or dismissed yet. Index
   * alt_suggestions_by_account.
   */
  altSuggestions: aboutPosts(sql`alt_suggestions`, sql`'text', r.alt, `),
  /** Index bookmarks_newest, which has photos and texts separately: a page of each, then of both together. */
  saves: aboutPosts(
    (page) => sql`(${bookmarksIn(page, true)} union all ${bookmarksIn(page, false)})`,
    // Index collection_items_by_bookmark.
    sql`'collections', coalesce((
      select json_agg(json_build_object('id', i.collection_id, 'time', ${idTime("i.id")}) order by i.id)
      from collection_items i
      where i.account_id = r.account_id and i.author_id = r.author_id and i.post_id = r.post_id
    ), '[]'::json), `,
  ),
  /** Its collections of bookmarks; these say which they are in. Primary key. */
  collections: listOf(() => ({
    item: sql`json_build_object('id', r.id, 'title', r.title)`,
    from: sql`collections r`,
  })),
  /** Index follows_newest. */
  following: accountList(sql`follows`, "followee_id", { owner: "follower_id" }),
  /** Index followers_newest. */
  followers: accountList(sql`followers`, "follower_id", { owner: "followee_id" }),
  /** The accounts that some of its posts are for. Index close_friends_newest. */
  closeFriends: accountList(sql`close_friends`, "friend_id"),
  /** Private accounts that it asked, and that have not answered. Index follow_requests_by_requester. */
  requestsSent: accountList(sql`follow_requests`, "account_id", { owner: "requester_id" }),
  /** Who asked it to follow. Index follow_requests_newest. */
  requestsReceived: accountList(sql`follow_requests`, "requester_id"),
  /** Whom the account blocked, never who blocked it. Index blocks_newest. */
  blocked: accountList(sql`(select * from blocks where own)`, "other_id", { hidden: true }),
  /** Index mutes_newest. */
  muted: accountList(sql`(select * from mutes where ${muteLasts})`, "muted_id"),
  /** What it noted about others, without their names where they cannot be seen. Index account_notes_newest. */
  notes: listOf(({ accountId }) => ({
    item: sql`json_build_object('username', a.username, 'name', ${nameOf}, 'text', r.body)`,
    from: sql`account_notes r left join accounts a on a.id = r.about_id and ${visibleTo(accountId, "a")}`,
  })),
  /** People whom it does not want suggested again. Index dismissed_suggestions_newest. */
  dismissed: accountList(sql`dismissed_suggestions`, "dismissed_id"),
  /** What it reported, and the outcome. Primary key. */
  reports: listOf(() => ({
    item: sql`json_build_object(
      'about', c.subject, 'reason', r.reason, 'text', r.words,
      'outcome', case
        when v.act is null then 'open' when v.act = 'dismiss' then 'dismissed' else 'acted'
      end,
      'answer', case when v.act = 'dismiss' then v.reason end
    )`,
    from: sql`reports r
      join moderation_cases c on c.account_id = r.account_id and c.id = r.case_id
      left join verdicts v on v.account_id = r.account_id and v.case_id = r.case_id`,
    owner: "reporter_id",
  })),
  /** What moderators decided about it, without their names. Primary key. */
  verdicts: listOf(() => ({
    item: sql`json_build_object(
      'about', c.subject, 'said', c.said, 'act', r.act, 'takenDown', r.taken_down,
      'reason', r.reason, 'until', ${ms("r.until")},
      'answer', r.answer, 'outcome', r.outcome, 'outcomeReason', r.outcome_reason
    )`,
    from: sql`(select * from verdicts where act <> 'dismiss') r
      join moderation_cases c on c.account_id = r.account_id and c.id = r.case_id`,
  })),
  received: readReceived,
  /** Sign-ins and changes to how the account signs in. Primary key. */
  activity: listOf(() => ({
    item: sql`json_build_object(
      'what', r.kind, 'detail', r.detail, 'count', r.count,
      'network', r.network, 'device', r.user_agent
    )`,
    from: sql`account_activity r`,
  })),
} as const satisfies Record<string, List>;

const bookmarksIn = ({ accountId, after, limit }: Page, photos: boolean) => sql`(
  select * from bookmarks
  where account_id = ${accountId} and has_picture = ${photos} and id > ${after?.id ?? lowestId}
  order by id
  limit ${limit}
)`;
