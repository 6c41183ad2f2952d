import type { Database } from "#server/platform/db/database.ts";
import { idAt, newId } from "#server/platform/db/ids.ts";
import { query } from "#server/test/query.ts";
import { searchName } from "#shared/text.ts";
import type { Viewer } from "#shared/views.ts";

/**
 * Inserts people and posts by the thousand straight into the tables: for tests about large numbers, where
 * signing everybody up would take long. Tests of rules use the people of factories.ts.
 */
export async function insertAccounts(
  db: Database,
  count: number,
  nameOf: (index: number) => string = (index) => `Person ${index}`,
  /** epoch milliseconds, if not now */
  joined?: number,
): Promise<Viewer[]> {
  const people = Array.from({ length: count }, (_, index): Viewer => {
    const id = joined === undefined ? newId() : idAt(joined + index);
    const username = `c_${id.replaceAll("-", "").slice(4)}`;
    const name = nameOf(index);
    const none = { avatar: null, emailVerified: true, sessionId: "", secondName: "" };
    return { id, username, name, firstName: name, email: `${username}@example.org`, ...none };
  });
  await insert(db, "accounts", {
    id: people.map(({ id }) => id),
    username: people.map(({ username }) => username),
    email: people.map(({ email }) => email),
    email_as_typed: people.map(({ email }) => email),
    first_name: people.map(({ name }) => name),
    full_name: people.map(({ name }) => name),
    search_name: people.map(({ name, username }) => searchName(name, username)),
  });
  await insert(db, "usernames", {
    username: people.map(({ username }) => username),
    account_id: people.map(({ id }) => id),
  });
  await insert(db, "account_counters", { account_id: people.map(({ id }) => id) });
  return people;
}

/** Lets everybody in `followers` follow everybody in `followees`, counters included. */
export async function insertFollows(
  db: Database,
  followers: readonly { id: string }[],
  followees: readonly { id: string }[],
): Promise<void> {
  const pairs = followers.flatMap((follower) =>
    followees.map((followee) => ({ follower: follower.id, followee: followee.id, id: newId() })),
  );
  const rows = {
    follower_id: pairs.map(({ follower }) => follower),
    followee_id: pairs.map(({ followee }) => followee),
    id: pairs.map(({ id }) => id),
  };
  await insert(db, "follows", rows);
  await insert(db, "followers", rows);
  await recount(db, "following", "follows", "follower_id");
  await recount(db, "followers", "followers", "followee_id");
}

/** Inserts `each` text posts of each of `authors`, numbered from `firstNumber`, the authors in turn. */
export async function insertTextPosts(
  db: Database,
  authors: readonly { id: string }[],
  each: number,
  firstNumber = 1,
): Promise<void> {
  const author_id: string[] = [];
  const number: string[] = [];
  for (let round = firstNumber; round < firstNumber + each; round += 1) {
    for (const { id } of authors) {
      author_id.push(id);
      number.push(String(round));
    }
  }
  const caption = author_id.map(() => "A few words");
  await insert(db, "posts", { author_id, id: author_id.map(() => newId()), number, caption });
  await query(
    db,
    `update account_counters c set posts = p.n, last_post_number = p.n
    from (select author_id, count(*) as n from posts group by author_id) p
    where p.author_id = c.account_id and c.posts <> p.n`,
  );
}

/**
 * Inserts `each` photo posts of each of `authors`, the authors in turn, with rows for images that have no
 * files.
 */
export async function insertPhotoPosts(
  db: Database,
  authors: readonly { id: string }[],
  each: number,
): Promise<void> {
  const posts: { author: string; id: string; image: string; number: number }[] = [];
  for (let number = 1; number <= each; number += 1) {
    for (const { id } of authors) posts.push({ author: id, id: newId(), image: newId(), number });
  }
  const author_id = posts.map(({ author }) => author);
  const [id, image] = [posts.map((post) => post.id), posts.map((post) => post.image)];
  await query(
    db,
    `insert into images (account_id, id, key, width, height, widths, thumbhash, bytes, media_type, claimed_at)
    select account_id, id, replace(id::text, '-', ''), 1600, 1200, '{320,640}', '\\x0011223344', 1000, 'image/jpeg', now()
    from unnest($1::uuid[], $2::uuid[]) as made (account_id, id)`,
    [author_id, image],
  );
  await query(
    db,
    `insert into posts (author_id, id, number, caption, picture_count)
    select author_id, id, number, 'A photo', 1
    from unnest($1::uuid[], $2::uuid[], $3::integer[]) as made (author_id, id, number)`,
    [author_id, id, posts.map(({ number }) => number)],
  );
  await query(
    db,
    `insert into post_pictures (author_id, post_id, position, image_id)
    select author_id, post_id, 1, image_id
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as made (author_id, post_id, image_id)`,
    [author_id, id, image],
  );
  await insert(db, "recent_photos", { author_id, post_id: id });
}

async function recount(db: Database, counter: string, table: string, owner: string) {
  await query(
    db,
    `update account_counters c set ${counter} = f.n
    from (select ${owner} as owner, count(*) as n from ${table} group by 1) f
    where f.owner = c.account_id and c.${counter} <> f.n`,
  );
}

/** Rows in one statement: with many more it would take longer than a busy machine's time limit. */
const rowsAtOnce = 2000;

/** Inserts columns of equal length as rows. */
export async function insert(db: Database, table: string, columns: Record<string, string[]>) {
  const names = Object.keys(columns);
  const types = await query<{ column_name: string; data_type: string }>(
    db,
    "select column_name, data_type from information_schema.columns where table_name = $1",
    [table],
  );
  const typeOf = new Map(types.map((row) => [row.column_name, row.data_type]));
  const arrays = names.map((name, index) => `$${index + 1}::${typeOf.get(name)}[]`);
  const text = `insert into ${table} (${names.join()}) select * from unnest(${arrays.join()})`;
  const values = Object.values(columns);
  for (let from = 0; from < (values[0]?.length ?? 0); from += rowsAtOnce) {
    const some = values.map((column) => column.slice(from, from + rowsAtOnce));
    await query(db, text, some);
  }
}

export type InsertedAlbum = {
  owner: Viewer;
  ownerId: string;
  albumId: string;
  contributors: Viewer[];
};

/** An album for followers, with photos of its owner and two contributors. */
export async function insertAlbum(
  db: Database,
  owner: Viewer,
  photos: number,
): Promise<InsertedAlbum> {
  const albumId = newId();
  const contributors = await insertAccounts(db, 2);
  await query(
    db,
    "insert into albums (owner_id, id, title, audience) values ($1, $2, 'Summer', 'followers')",
    [owner.id, albumId],
  );
  for (const { id } of contributors) {
    await query(
      db,
      `insert into album_members (owner_id, album_id, account_id, role, id)
      values ($1, $2, $3, 'contributor', $4)`,
      [owner.id, albumId, id, newId()],
    );
  }
  const by = [owner, ...contributors];
  await insertPhotoPosts(db, by, Math.ceil(photos / by.length));
  const ids = by.map(({ id }) => id);
  // some at a time: within one transaction, each finds every earlier version of the count
  for (let number = 1; number <= Math.ceil(photos / by.length); number += 20) {
    await query(
      db,
      `update posts set audience = 'only-me', album_owner_id = $1, album_id = $2
      where author_id = any($3) and number between $4 and $5 and picture_count > 0`,
      [owner.id, albumId, ids, number, number + 19],
    );
    await query(
      db,
      `insert into album_items (owner_id, album_id, author_id, post_id, position, audience)
      select $1, $2, author_id, id, number, 'album' from posts
      where author_id = any($3) and number between $4 and $5`,
      [owner.id, albumId, ids, number, number + 19],
    );
  }
  return { owner, ownerId: owner.id, albumId, contributors };
}
