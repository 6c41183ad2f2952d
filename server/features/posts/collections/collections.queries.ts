import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { postPhotos, postView, visiblePosts } from "#server/features/posts/post-view.queries.ts";
import type { PostRef } from "#server/features/types.ts";
import { limits } from "#shared/limits.ts";
import type { Collection, PostView } from "#shared/views.ts";

const { ofOne, posts: mostPosts, coverAmong } = limits.collections;

/** A collection, by its owner's id and its own. */
export type CollectionRef = { accountId: string; collectionId: string };

/** The newest photo of a row `c` that the viewer may see and that is not veiled. Index collection_items_newest. */
const coverOf = (viewerId: string): Sql => sql`(
  select ${postPhotos("p", "author")} -> 0
  from (
    select author_id, post_id, id from collection_items
    where account_id = c.account_id and collection_id = c.id
    order by id desc
    limit ${sql.lit(coverAmong)}
  ) item
  ${visiblePosts(viewerId, "item")}
  where p.picture_count > 0 and not p.sensitive
  order by item.id desc
  limit 1
)`;

/** All of an account's, newest first: there are few. Primary key. */
export const collectionsOf = (db: Database, accountId: string) =>
  db.query<Collection>(sql.named("collections.list")`
    select c.id, c.title, ${coverOf(accountId)} as cover from collections c
    where c.account_id = ${accountId}
    order by c.id desc
  `);

/** Primary key. */
export const findCollection = (db: Database, { accountId, collectionId }: CollectionRef) =>
  db.first<Collection>(sql`
    select c.id, c.title, ${coverOf(accountId)} as cover from collections c
    where c.account_id = ${accountId} and c.id = ${collectionId}
  `);

/** Latest added first. Index collection_items_newest. */
export const postsIn = (
  db: Database,
  { accountId, collectionId }: CollectionRef,
  { below, limit }: { below: string; limit: number },
) =>
  db.query<KeyedRow<PostView>>(sql.named("collections.posts")`
    select json_build_array(item.id) as key, ${postView(accountId)} as item
    from (
      select id, author_id, post_id from collection_items
      where account_id = ${accountId} and collection_id = ${collectionId} and id < ${below}
      order by id desc
    ) item
    ${visiblePosts(accountId, "item")}
    order by item.id desc
    limit ${limit}
  `);

/** Which of an account's collections a post is in. Index collection_items_by_bookmark. */
export const collectionsWith = (db: Database, accountId: string, { authorId, postId }: PostRef) =>
  db.column<string>(sql`
    select collection_id as id from collection_items
    where account_id = ${accountId} and author_id = ${authorId} and post_id = ${postId}
  `);

/** Keys of posts as two columns. */
const keys = (posts: readonly PostRef[]): Sql => sql`unnest(
  ${posts.map(({ authorId }) => authorId)}::uuid[], ${posts.map(({ postId }) => postId)}::uuid[]
)`;

/** Which of these posts are in a collection, by their ids. Primary key. */
export const among = (
  db: Database,
  { accountId, collectionId }: CollectionRef,
  posts: readonly PostRef[],
) =>
  db.column<string>(sql`
    select post_id as id from collection_items
    where account_id = ${accountId} and collection_id = ${collectionId}
      and (author_id, post_id) in (select * from ${keys(posts)})
  `);

/** Null where there is none with this key. Index collections_client_key. */
export const findByClientKey = (db: Database, accountId: string, clientKey: string) =>
  db.first<{ id: string }>(sql`
    select id from collections where account_id = ${accountId} and client_key = ${clientKey}
  `);

type NewCollection = CollectionRef & { title: string; clientKey: string | null };

/** False where the account has as many as it may. Its counters are locked already. */
export const insertCollection = (
  db: Database,
  { accountId, collectionId, title, clientKey }: NewCollection,
) =>
  db.any(sql`
    insert into collections (account_id, id, title, client_key)
    select ${accountId}::uuid, ${collectionId}::uuid, ${title}::text, ${clientKey}::text
    where (select count(*) from collections where account_id = ${accountId}) < ${ofOne}
    returning id
  `);

/** False where it is gone. */
export const writeTitle = (
  db: Database,
  { accountId, collectionId }: CollectionRef,
  title: string,
) =>
  db.any(sql`
    update collections set title = ${title}
    where account_id = ${accountId} and id = ${collectionId}
    returning id
  `);

/** Its posts stay saved. False where it is gone. */
export const deleteCollection = (db: Database, { accountId, collectionId }: CollectionRef) =>
  db.any(sql`
    delete from collections where account_id = ${accountId} and id = ${collectionId}
    returning id
  `);

/** An account's own among these, each of which has room for `more` posts besides what is in it. */
type Wanted = { accountId: string; ids: readonly string[]; more: number };

/** Whether one of these collections would have too many posts. Index collection_items_newest. */
export const isOneFull = (db: Database, { accountId, ids, more }: Wanted) =>
  db.any(sql`
    select from unnest(${[...ids]}::uuid[]) wanted (id)
    where exists (
      select from collection_items
      where account_id = ${accountId} and collection_id = wanted.id
      order by id desc
      offset ${mostPosts - more} limit 1
    )
  `);

/** Puts a saved post into those of these collections that are the account's. Primary key. */
export const insertItems = (
  db: Database,
  accountId: string,
  { authorId, postId }: PostRef,
  { ids, itemId }: { ids: readonly string[]; itemId: string },
) =>
  db.query(sql`
    insert into collection_items (account_id, collection_id, author_id, post_id, id)
    select account_id, id, ${authorId}::uuid, ${postId}::uuid, ${itemId}::uuid from collections
    where account_id = ${accountId} and id = any(${[...ids]}::uuid[])
    on conflict do nothing
  `);

/** Takes a post out of these. Primary key. */
export const deleteItems = (
  db: Database,
  accountId: string,
  { authorId, postId }: PostRef,
  ids: readonly string[],
) =>
  db.query(sql`
    delete from collection_items
    where account_id = ${accountId} and author_id = ${authorId} and post_id = ${postId}
      and collection_id = any(${[...ids]}::uuid[])
  `);

/** Puts those of these posts into a collection that are saved. Primary key of bookmarks. */
export const insertSaved = (
  db: Database,
  { accountId, collectionId }: CollectionRef,
  posts: readonly (PostRef & { itemId: string })[],
) =>
  db.query(sql`
    insert into collection_items (account_id, collection_id, author_id, post_id, id)
    select b.account_id, ${collectionId}::uuid, b.author_id, b.post_id, wanted.id
    from unnest(
      ${posts.map(({ authorId }) => authorId)}::uuid[],
      ${posts.map(({ postId }) => postId)}::uuid[],
      ${posts.map(({ itemId }) => itemId)}::uuid[]
    ) wanted (author_id, post_id, id)
    join bookmarks b on b.account_id = ${accountId}
      and b.author_id = wanted.author_id and b.post_id = wanted.post_id
    on conflict do nothing
  `);

/** Takes these posts out of a collection. Primary key. */
export const deleteFrom = (
  db: Database,
  { accountId, collectionId }: CollectionRef,
  posts: readonly PostRef[],
) =>
  db.query(sql`
    delete from collection_items
    where account_id = ${accountId} and collection_id = ${collectionId}
      and (author_id, post_id) in (select * from ${keys(posts)})
  `);
