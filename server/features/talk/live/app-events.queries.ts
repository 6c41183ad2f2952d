import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { probe } from "#server/platform/db/probes.ts";
import {
  inOwnAudience,
  mutedWordsBy,
  noBlock,
  noMute,
  visibleAccount,
} from "#server/features/people/index.ts";
import type { ShownAudience } from "#shared/posts.ts";

/** That an account may see a post for this audience, and whether it is its own, liked or bookmarked. */
export type Right = {
  postId: string;
  accountId: string;
  audience: ShownAudience;
  own: boolean;
  liked: boolean;
  saved: boolean;
  /** words they muted */
  words: string[] | null;
};

export type Asked = {
  authorId: string;
  postId: string;
  accountId: string;
  audience: ShownAudience;
};

/**
 * Those of these accounts that may see a post: both exist, they are in its audience, no block is between
 * them, and they did not mute its author. The post itself may be gone. Primary keys.
 */
export async function rightsOf(db: Database, asked: readonly Asked[]): Promise<Right[]> {
  if (asked.length === 0) return [];
  return db.query<Right>(sql.named("live.app-rights")`
    select w.post_id as "postId", w.account_id as "accountId", w.audience,
      w.account_id = w.author_id as own,
      coalesce((
        select true from likes l
        where l.author_id = w.author_id and l.post_id = w.post_id
          and ${probe("l.account_id", sql.ref("w.account_id"))}
      ), false) as liked,
      coalesce((
        select true from bookmarks b
        where b.account_id = w.account_id and b.author_id = w.author_id and b.post_id = w.post_id
        limit 1
      ), false) as saved,
      ${mutedWordsBy(sql.ref("w.account_id"))} as words
    from unnest(
      ${asked.map(({ authorId }) => authorId)}::uuid[],
      ${asked.map(({ postId }) => postId)}::uuid[],
      ${asked.map(({ accountId }) => accountId)}::uuid[],
      ${asked.map(({ audience }) => audience)}::text[]
    ) w (author_id, post_id, account_id, audience)
    join accounts author on author.id = w.author_id
    join accounts listener on listener.id = w.account_id
    where ${visibleAccount("author")} and ${visibleAccount("listener")}
      and ${inOwnAudience(sql`w.account_id`, "w")}
      and ${noBlock(sql`w.account_id`, sql`w.author_id`)}
      and ${noMute(sql`w.account_id`, sql`w.author_id`)}
  `);
}

type Named = { postId: string; accountId: string; otherId: string };

/** Those of these pairs with a block between them. Primary key of blocks. */
export async function blockedAmong(db: Database, pairs: readonly Named[]): Promise<Named[]> {
  if (pairs.length === 0) return [];
  return db.query<Named>(sql.named("live.app-blocked")`
    select w.post_id as "postId", w.account_id as "accountId", w.other_id as "otherId"
    from unnest(
      ${pairs.map(({ postId }) => postId)}::uuid[],
      ${pairs.map(({ accountId }) => accountId)}::uuid[],
      ${pairs.map(({ otherId }) => otherId)}::uuid[]
    ) w (post_id, account_id, other_id)
    where not ${noBlock(sql`w.account_id`, sql`w.other_id`)}
  `);
}

/**
 * Those of these tokens that are still valid: neither ended nor of an account that may not be seen.
 */
export async function livingTokens(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const found = await db.column<string>(sql.named("live.app-tokens")`
    select t.id from app_tokens t
    join accounts a on a.id = t.account_id
    where t.id = any(${ids}::uuid[]) and ${visibleAccount("a")}
  `);
  return new Set(found);
}
