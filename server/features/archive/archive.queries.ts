import { sql, type Sql } from "#server/db/sql.ts";
import { highestId, lowestId } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { jsonFields, selectFields } from "#server/db/fields.ts";
import type { FocalPoint } from "#shared/focal-point.ts";
import type { CameraView, PlaceView } from "#shared/photo-details.ts";
import {
  focalPoint,
  mutedWordsBy,
  visibleAccount,
  visibleTo,
} from "#server/features/people/index.ts";
import { eachPicture, placeOf } from "#server/features/posts/index.ts";
import { postChoices, type PostChoices } from "#shared/posts.ts";
import { profileFields, type ProfileWords } from "#shared/profiles.ts";
import { settings, type Switches } from "#shared/settings.ts";

/**
 * What an archive holds, table by table and column by column: what is added to the product later is
 * exported only once it is named here, or where it is declared (and in docs/export-format.md).
 */

export type StoredPicture = {
  key: string;
  mediaType: string;
  bytes: number;
  width: number;
  height: number;
  alt: string;
  focalPoint: FocalPoint | null;
  /** what its camera wrote */
  camera: CameraView | null;
  /** kept only where its post shows it */
  place: PlaceView | null;
};

export type ArchivedProfile = ProfileWords & {
  id: string;
  username: string;
  formerUsernames: string[];
  email: string;
  emailVerified: boolean;
  settings: Partial<Switches>;
  mutedWords: string[];
  createdAt: number;
  picture: StoredPicture | null;
  counts: { posts: number; followers: number; following: number };
  pictureBytes: number;
};

export type ArchivedPost = PostChoices & {
  id: string;
  number: number;
  time: number;
  timeZone: string;
  caption: string;
  likeCount: number;
  commentCount: number;
  imported: boolean;
  editedAt: number | null;
  /** what it said before, newest first, and until when */
  earlier: { caption: string; until: number }[];
  pictures: StoredPicture[];
};

export type ReceivedComment = {
  id: string;
  post: number;
  time: number;
  username: string;
  name: string;
  text: string;
};

const ms = (column: string) => sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

/** A row `i` of images. */
const storedPicture = (alt: Sql) => sql`json_build_object(
  'key', i.key, 'mediaType', i.media_type, 'bytes', i.bytes,
  'width', i.width, 'height', i.height, 'alt', ${alt}, 'focalPoint', ${focalPoint("i")}, 'camera', i.camera,
  'place', ${placeOf("i")}
)`;

const archivedSettings = Object.fromEntries(
  Object.entries(settings).filter(([, { archived }]) => archived),
);

export async function readProfile(db: Database, id: string): Promise<ArchivedProfile | null> {
  const rows = await db.query<ArchivedProfile>(sql`
    select a.id, a.username,
      coalesce((
        select json_agg(u.username order by u.taken_at) from usernames u
        where u.account_id = a.id and u.username <> a.username
      ), '[]'::json) as "formerUsernames",
      ${selectFields("a", profileFields)},
      a.email_as_typed as email, a.email_verified as "emailVerified",
      json_build_object(${jsonFields("a", archivedSettings)}) as settings,
      coalesce(${mutedWordsBy(sql`a.id`)}, '{}') as "mutedWords",
      ${ms("a.created_at")} as "createdAt",
      (
        select ${storedPicture(sql`''`)} from images i
        where i.account_id = a.id and i.id = a.avatar_image_id
      ) as picture,
      json_build_object('posts', c.posts, 'followers', c.followers, 'following', c.following)
        as counts,
      (select coalesce(sum(bytes), 0)::float8 from images where account_id = a.id)
        as "pictureBytes"
    from accounts a join account_counters c on c.account_id = a.id
    where a.id = ${id} and ${visibleAccount("a")}
  `);
  return rows[0] ?? null;
}

/** Oldest first with `after`, newest first with `before`. Primary key of posts. */
export async function readPosts(
  db: Database,
  authorId: string,
  page: { after: string | null } | { before: string | null },
  limit: number,
): Promise<ArchivedPost[]> {
  const [bound, order] =
    "after" in page
      ? [sql`p.id > ${page.after ?? lowestId}`, sql`p.id`]
      : [sql`p.id < ${page.before ?? highestId}`, sql`p.id desc`];
  const rows = await db.query<ArchivedPost>(sql`
    select p.id, p.number, ${ms("p.created_at")} as time, p.time_zone as "timeZone", p.caption,
      p.like_count as "likeCount", p.comment_count as "commentCount",
      p.imported_at is not null as imported,
      ${ms("p.edited_at")} as "editedAt",
      ${selectFields("p", postChoices)},
      coalesce((
        select json_agg(
          json_build_object('caption', v.caption, 'until', ${ms("v.replaced_at")})
          order by v.version desc
        )
        from post_versions v where v.author_id = p.author_id and v.post_id = p.id
      ), '[]'::json) as earlier,
      ${eachPicture("p", storedPicture(sql`pp.alt`))} as pictures
    from posts p
    where p.author_id = ${authorId} and ${bound}
    order by ${order}
    limit ${limit}
  `);
  return rows;
}

/** What people wrote under these posts, the first `most` under each. Primary key of comments. */
export async function readCommentsUnder(
  db: Database,
  authorId: string,
  postIds: readonly string[],
  most: number,
): Promise<ReceivedComment[]> {
  const rows = await db.query<ReceivedComment>(sql`
    select c.id, p.number as post, ${ms("c.created_at")} as time, a.username,
      coalesce(nullif(a.full_name, ''), a.username) as name, c.body as text
    from posts p
    cross join lateral (
      select * from comments
      where author_id = p.author_id and post_id = p.id
      order by id limit ${most}
    ) c
    join accounts a on a.id = c.account_id
    where p.author_id = ${authorId} and p.id = any(${postIds}::uuid[])
      and ${visibleTo(authorId, "a")}
    order by p.id desc, c.id
  `);
  return rows;
}

type Page = { accountId: string; after: Listed | null; limit: number };
/** A row of a list: its `id`, under its `postId` where it has one, is where the next page goes on. */
export type Listed = { id: string; postId?: string; item: Record<string, unknown> };

async function readList(
  db: Database,
  { accountId, after, limit }: Page,
  parts: { item: Sql; from: Sql; owner: string },
): Promise<Listed[]> {
  const rows = await db.query<Listed>(sql`
    select r.id, ${parts.item} as item
    from ${parts.from}
    where ${sql.ref(`r.${parts.owner}`)} = ${accountId} and r.id > ${after?.id ?? lowestId}
    order by r.id
    limit ${limit}
  `);
  return rows;
}

/** The post that a row `r` is about, and its author's row `a`; where either cannot be seen, neither. */
const aboutPost = (accountId: string) => sql`
  left join posts p on p.author_id = r.author_id and p.id = r.post_id
  left join accounts a on a.id = p.author_id and ${visibleTo(accountId, "a")}
`;
const postRef = sql`case when a.id is not null
  then json_build_object('author', a.username, 'number', p.number) end`;
const nameOf = sql`coalesce(nullif(a.full_name, ''), a.username)`;
const person = sql`case when a.id is not null
  then json_build_object('username', a.username, 'name', ${nameOf}) end`;

/** What the account did, wrote, liked and saved, whom it follows, blocks, mutes and dismissed: each oldest first. */
export const lists = {
  /** Index comments_by_account. */
  comments: (db: Database, page: Page) =>
    readList(db, page, {
      item: sql`json_build_object(
        'id', r.id, 'under', r.root_id, 'time', ${ms("r.created_at")},
        'editedAt', ${ms("r.edited_at")}, 'text', r.body, 'post', ${postRef}
      )`,
      from: sql`comments r ${aboutPost(page.accountId)}`,
      owner: "account_id",
    }),
  /** Index likes_by_account. */
  likes: (db: Database, page: Page) =>
    readList(db, page, {
      item: sql`json_build_object('post', ${postRef})`,
      from: sql`likes r ${aboutPost(page.accountId)}`,
      owner: "account_id",
    }),
  /** Index comment_likes_by_account. */
  "comment-likes": (db: Database, page: Page) =>
    readList(db, page, {
      item: sql`json_build_object('comment', r.comment_id, 'post', ${postRef})`,
      from: sql`comment_likes r ${aboutPost(page.accountId)}`,
      owner: "account_id",
    }),
  /** What it suggested as alt text for others' photos, and nobody took or dismissed yet. Index alt_suggestions_by_account. */
  altSuggestions: (db: Database, page: Page) =>
    readList(db, page, {
      item: sql`json_build_object('text', r.alt, 'post', ${postRef})`,
      from: sql`alt_suggestions r ${aboutPost(page.accountId)}`,
      owner: "account_id",
    }),
  /** Index bookmarks_newest, which has photos and texts apart: a page of each, and of both. */
  saves: (db: Database, page: Page) =>
    readList(db, page, {
      item: sql`json_build_object('post', ${postRef})`,
      from: sql`(${savedIn(page, true)} union all ${savedIn(page, false)}) r
        ${aboutPost(page.accountId)}`,
      owner: "account_id",
    }),
  /** Index follows_newest. */
  following: (db: Database, page: Page) =>
    readList(db, page, {
      item: person,
      from: sql`follows r left join accounts a on a.id = r.followee_id and ${visibleAccount("a")}`,
      owner: "follower_id",
    }),
  /** Index followers_newest. */
  followers: (db: Database, page: Page) =>
    readList(db, page, {
      item: person,
      from: sql`followers r left join accounts a on a.id = r.follower_id and ${visibleAccount("a")}`,
      owner: "followee_id",
    }),
  /** Whom the account blocked; who blocked it, it does not learn. Index blocks_newest. */
  blocked: (db: Database, page: Page) =>
    readList(db, page, {
      item: person,
      from: sql`(select * from blocks where own) r
        left join accounts a on a.id = r.other_id and ${visibleAccount("a")}`,
      owner: "account_id",
    }),
  /** Index mutes_newest. */
  muted: (db: Database, page: Page) =>
    readList(db, page, {
      item: person,
      from: sql`mutes r
        left join accounts a on a.id = r.muted_id and ${visibleTo(page.accountId, "a")}`,
      owner: "account_id",
    }),
  /** Whom it wants suggested no more. Index dismissed_suggestions_newest. */
  dismissed: (db: Database, page: Page) =>
    readList(db, page, {
      item: person,
      from: sql`dismissed_suggestions r
        left join accounts a on a.id = r.dismissed_id and ${visibleTo(page.accountId, "a")}`,
      owner: "account_id",
    }),
  /** What it reported, and what became of it. Primary key. */
  reports: (db: Database, page: Page) =>
    readList(db, page, {
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
    }),
  /** What moderators decided about it, without who. Primary key. */
  verdicts: (db: Database, page: Page) =>
    readList(db, page, {
      item: sql`json_build_object(
        'about', c.subject, 'said', c.said, 'act', r.act, 'takenDown', r.taken_down,
        'reason', r.reason, 'until', ${ms("r.until")},
        'answer', r.answer, 'outcome', r.outcome, 'outcomeReason', r.outcome_reason
      )`,
      from: sql`(select * from verdicts where act <> 'dismiss') r
        join moderation_cases c on c.account_id = r.account_id and c.id = r.case_id`,
      owner: "account_id",
    }),
  received: readReceived,
  /** Sign-ins and changes of how the account is entered. Primary key. */
  activity: (db: Database, page: Page) =>
    readList(db, page, {
      item: sql`json_build_object(
        'what', r.kind, 'detail', r.detail, 'count', r.count,
        'network', r.network, 'device', r.user_agent
      )`,
      from: sql`account_activity r`,
      owner: "account_id",
    }),
} as const;

const savedIn = ({ accountId, after, limit }: Page, photos: boolean) => sql`(
  select * from bookmarks
  where account_id = ${accountId} and has_picture = ${photos} and id > ${after?.id ?? lowestId}
  order by id
  limit ${limit}
)`;

/**
 * What others wrote under the account's posts: post after post, each from its first comment on, as
 * the primary key of comments has them.
 */
async function readReceived(db: Database, { accountId, after, limit }: Page): Promise<Listed[]> {
  const rows = await db.query<Listed>(sql`
    select r.id, r.post_id as "postId", case when a.id is not null then json_build_object(
      'id', r.id, 'under', r.root_id, 'time', ${ms("r.created_at")},
      'editedAt', ${ms("r.edited_at")}, 'text', r.body, 'post', p.number, 'username', a.username, 'name', ${nameOf}
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
  return rows;
}
