import { sql, type Sql } from "#server/platform/db/sql.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { highestId, lowestId } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { statementsOver } from "#server/platform/db/statements.ts";
import { idAt, newId } from "#server/platform/db/ids.ts";
import { markImported, showNewest } from "#server/features/archive/imports.queries.ts";
import * as feed from "#server/features/posts/feed/feed.queries.ts";
import {
  allFollowed,
  closeAuthors,
  newestOf,
  shownAuthor,
  toCloseFriends,
  type HomePage,
} from "#server/features/posts/feed/home-page.queries.ts";
import {
  dropIdle,
  dropListOf,
  removeFallen,
} from "#server/features/posts/feed/home-lists-removal.queries.ts";
import * as lists from "#server/features/posts/feed/home-lists.queries.ts";
import { createHomeLists, type HomeLists } from "#server/features/posts/feed/home-lists.ts";
import { insertPost, lockCounters } from "#server/features/posts/post-writes.queries.ts";
import type { PostKey } from "#server/features/posts/posts.queries.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everything } from "#server/test/everything.ts";
import { testFeatures, type MadePost, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { until } from "#server/test/until.ts";
import { limits } from "#shared/limits.ts";
import { audiences, defaultChoices, type Audience } from "#shared/posts.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;
let homeLists: HomeLists;

/** So small that everything happens within a few posts. */
const small = { maxEntries: 9, first: 4, mostFollowers: 4, followsAtOnce: 3, cutEvery: 1 };

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  homeLists = createHomeLists({ db, log: { error: console.error }, sizes: small });
  // What home shows of imports, noted by who showed it.
  await query(db, "create table shown_imports (id uuid primary key)");
});

/** The definition of home in the plainest words, with nothing of how it is read. */
async function plainly(
  viewerId: string,
  { above = lowestId, withOwn = false } = {},
): Promise<PostKey[]> {
  const rows = await db.query<PostKey>(sql`
    select p.author_id as "authorId", p.id from posts p
    join accounts a on a.id = p.author_id and a.suspended_at is null and a.deleted_at is null
    where p.id > ${above}
      and (p.import_id is null or exists (select from shown_imports s where s.id = p.id))
      and (${withOwn} and p.author_id = ${viewerId} or (
      exists (select from follows where follower_id = ${viewerId} and followee_id = a.id)
      and not exists (select from mutes where account_id = ${viewerId} and muted_id = a.id)
      and not exists (select from blocks where account_id = ${viewerId} and other_id = a.id)
      and case p.audience
        when 'everyone' then true
        when 'followers' then true
        when 'close-friends' then
          exists (select from close_friends where account_id = a.id and friend_id = ${viewerId})
        else false
      end
    ))
    order by p.id desc
  `);
  return rows;
}

/** Home without any list: what a page has to be. */
async function pulledPostKeys(page: HomePage): Promise<PostKey[]> {
  const { viewerId, limit } = page;
  return db.query<PostKey>(sql.named("feed.pulled-keys")`
    select author_id as "authorId", id
    from (
      (${newestOf(allFollowed(viewerId), page)})
      union all
      (${newestOf(closeAuthors(viewerId), page, toCloseFriends)})
    ) keys
    order by id desc
    limit ${limit}
  `);
}

/**
 * The same in two steps, each on one owner's rows or on rows by their owners' ids: whom the viewer follows
 * and may see, then the newest posts of these. For tables spread over several machines, where one statement
 * cannot look something up for each row of another owner. Primary keys.
 */
async function keysInTwoSteps({ viewerId, below, limit }: HomePage): Promise<PostKey[]> {
  const shown = (authors: Sql) =>
    db.query<{ id: string }>(sql`
      select f.author_id as id
      from (${authors}) f
      cross join lateral (${shownAuthor(viewerId, sql`f.author_id`)}) shown
    `);
  const authors = await shown(allFollowed(viewerId));
  const close = await shown(closeAuthors(viewerId));
  return db.query<PostKey>(sql.named("feed.keys-of-authors")`
    select author_id as "authorId", id from posts
    where id < ${below} and imported_at is null and (
      author_id = any(${authors.map(({ id }) => id)}::uuid[])
        and audience in ('everyone', 'followers')
      or author_id = any(${close.map(({ id }) => id)}::uuid[]) and audience = 'close-friends'
    )
    order by id desc
    limit ${limit}
  `);
}

type Read = (page: HomePage) => Promise<PostKey[]>;

const reads: Record<string, Read> = {
  "with lists": async (page) => (await feed.homePostKeys(db, page)).keys,
  pulled: pulledPostKeys,
  "in two steps": keysInTwoSteps,
};

/** Every page of a feed, put together. */
async function allPages(read: Read, viewerId: string, size: number): Promise<PostKey[]> {
  const found: PostKey[] = [];
  for (;;) {
    const below = found.at(-1)?.id ?? highestId;
    const keys = await read({ viewerId, below, limit: size + 1 });
    found.push(...keys.slice(0, size));
    if (keys.length <= size) return found;
  }
}

/** All reads in one snapshot. */
const atOneMoment = <T>(work: () => Promise<T>): Promise<T> =>
  db.transaction(async () => {
    await db.query(sql`set transaction isolation level repeatable read`);
    return work();
  });

async function expectTheSame(viewer: Viewer, size: number, what: string): Promise<void> {
  await atOneMoment(async () => {
    const wanted = await plainly(viewer.id);
    for (const [how, read] of Object.entries(reads)) {
      expect(await allPages(read, viewer.id, size), `${what}, ${how}`).toEqual(wanted);
    }
    // a suspended member is signed out and asks for nothing of their own
    const isActive = await db.any(sql`
      select from accounts where id = ${viewer.id} and suspended_at is null
    `);
    if (isActive) {
      const withOwn = await plainly(viewer.id, { withOwn: true });
      const own: Read = async (page) => (await feed.homeAndOwnKeys(db, page)).keys;
      expect(await allPages(own, viewer.id, size), `${what}, with own`).toEqual(withOwn);
    }
    for (const above of [lowestId, wanted[size]?.id, wanted[0]?.id]) {
      if (!above) continue;
      const counted = { viewerId: viewer.id, above, atMost: 7 };
      const newer = Math.min(7, (await plainly(viewer.id, { above })).length);
      expect(await feed.newerPostCount(db, counted), `${what}, newer`).toBe(newer);
      if (!isActive) continue;
      const ends = { viewerId: viewer.id, above, below: highestId, limit: size };
      const nearest = (await plainly(viewer.id, { above, withOwn: true })).toReversed();
      const found = await feed.homeAndOwnKeysAbove(db, ends);
      expect(found, `${what}, above`).toEqual(nearest.slice(0, size));
    }
  });
}

/** As somebody opens home: a read that also writes, so not in one snapshot with others. */
async function expectVisit(viewer: Viewer, limit: number, what: string): Promise<void> {
  const moment = { now: newId(), began: lowestId };
  const { keys } = await feed.visitedPostKeys(db, { viewerId: viewer.id, limit }, moment);
  expect(keys, `${what}, opened`).toEqual((await plainly(viewer.id)).slice(0, limit));
}

/** The same choices for the same seed, so that a failing history can be repeated (mulberry32). */
function choices(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n: number) => Math.floor(next() * n);
  const oneOf = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  return { below, oneOf };
}

/** Posts of the past, which are in home once their import shows them. */
function importsOf(db: Database) {
  const open = new Map<string, string>();

  async function bring(author: Viewer, { below, oneOf }: ReturnType<typeof choices>) {
    const importId = open.get(author.id) ?? newId();
    open.set(author.id, importId);
    const post = {
      ...defaultChoices,
      audience: oneOf(audiences),
      authorId: author.id,
      // Among what lists have, or far below it.
      id: idAt(Date.now() - below(oneOf([2000, 100_000]))),
      caption: "Brought along",
      pictureCount: 0,
      timeZone: "UTC",
      clientKey: null,
      language: null,
    };
    return db.transaction(async () => {
      await lockCounters(db, author.id);
      const { id, number } = await insertPost(db, post);
      await markImported(db, { authorId: author.id, id, importId });
      return { author, authorId: author.id, postId: id, number };
    });
  }

  /** One of those that are open. */
  async function end(oneOf: ReturnType<typeof choices>["oneOf"]): Promise<void> {
    if (open.size === 0) return;
    const [accountId, id] = oneOf([...open]);
    open.delete(accountId);
    await db.transaction(async () => {
      await lockCounters(db, accountId);
      const all = await query<{ id: string; audience: Audience }>(
        db,
        "select id, audience from posts where author_id = $1 and import_id = $2 for update",
        [accountId, id],
      );
      const newest = all
        .filter(({ audience }) => audience !== "only-me")
        .map((each) => each.id)
        .toSorted()
        .slice(-limits.archive.newestShown);
      await showNewest(db, { accountId, id });
      await query(db, "insert into shown_imports select unnest($1::uuid[])", [newest]);
    });
  }

  return { bring, end };
}

/** What can happen to feeds, through people and background work, each as often as it is listed here. */
function history(seed: number, people: Viewer[], { deleting = 1 } = {}) {
  const { below, oneOf } = choices(seed);
  const posts: MadePost[] = [];
  const two = () => {
    const one = oneOf(people);
    return { one, other: oneOf(people.filter(({ id }) => id !== one.id)) };
  };
  const post = async () => {
    const made = { caption: "A few words", audience: oneOf(["everyone", ...audiences] as const) };
    posts.push(await on.publish(oneOf(people), made));
  };
  const follow = async () => {
    const { one, other } = two();
    await on.follows.follow(one, other.id);
  };
  const withOne = (work: (one: string) => Promise<unknown>) => async (): Promise<void> =>
    void (await work(oneOf(people).id));
  const withTwo =
    (work: (one: Viewer, other: string) => Promise<unknown>) => async (): Promise<void> => {
      const { one, other } = two();
      await work(one, other.id);
    };
  const fill = withOne(async (id) => {
    await lists.announce(db, id, small);
    await lists.fillList(db, id, small);
    await removeFallen(db, id);
  });
  const edit = (words: () => { caption?: string; audience?: Audience }) => async () => {
    const edited = posts[below(posts.length)];
    const now =
      edited && (await on.posts.get(edited.author, edited.author.username, edited.number));
    if (!now) return;
    const changed = { version: now.version, caption: now.caption, ...words() };
    await on.posts.edit(edited.author, edited.author.username, edited.number, changed);
  };
  const push = () => lists.listPending(db, 1 + below(3), small);
  const imports = importsOf(db);
  const acts: Record<string, [number, () => Promise<unknown>]> = {
    post: [20, post],
    follow: [12, follow],
    unfollow: [5, withTwo((one, other) => on.follows.unfollow(one, other))],
    "follow again": [
      3,
      withTwo(async (one, other) => {
        await on.follows.unfollow(one, other);
        await on.follows.follow(one, other);
      }),
    ],
    block: [1, withTwo((one, other) => on.blocks.block(one, other))],
    unblock: [2, withTwo((one, other) => on.blocks.unblock(one, other))],
    mute: [2, withTwo((one, other) => on.blocks.mute(one, other))],
    unmute: [2, withTwo((one, other) => on.blocks.unmute(one, other))],
    suspend: [
      1,
      withOne((id) => query(db, "update accounts set suspended_at = now() where id = $1", [id])),
    ],
    restore: [2, () => query(db, "update accounts set suspended_at = null")],
    "delete a post": [
      5,
      async () => {
        const [gone] = posts.splice(below(posts.length), 1);
        if (gone) await on.posts.remove(gone.author, gone.author.username, gone.number);
      },
    ],
    edit: [2, edit(() => ({ caption: "Other words" }))],
    "change an audience": [14, edit(() => ({ audience: oneOf(audiences) }))],
    "add a close friend": [
      4,
      withTwo((one, other) =>
        query(db, "insert into close_friends values ($1, $2, $3) on conflict do nothing", [
          one.id,
          other,
          newId(),
        ]),
      ),
    ],
    "remove a close friend": [
      2,
      withTwo((one, other) =>
        query(db, "delete from close_friends where account_id = $1 and friend_id = $2", [
          one.id,
          other,
        ]),
      ),
    ],
    "go private": [
      1,
      withOne((id) => query(db, "update accounts set private_at = now() where id = $1", [id])),
    ],
    "go public": [
      1,
      withOne((id) => query(db, "update accounts set private_at = null where id = $1", [id])),
    ],
    "bring a post of the past": [
      2,
      withOne((id) =>
        query(
          db,
          `with counted as (
            update account_counters
            set posts = posts + 1, last_post_number = last_post_number + 1
            where account_id = $1 returning last_post_number
          )
          insert into posts (author_id, id, number, caption)
          select $1, $2, last_post_number, 'Brought along' from counted`,
          [id, idAt(Date.now() - below(100_000))],
        ),
      ),
    ],
    "import a post": [
      8,
      async () => void posts.push(await imports.bring(oneOf(people), { below, oneOf })),
    ],
    "end an import": [8, () => imports.end(oneOf)],
    push: [12, push],
    fill: [10, fill],
    announce: [2, withOne((id) => lists.announce(db, id, small))],
    "take in": [2, withOne((id) => lists.fillList(db, id, small))],
    "remove outdated entries": [2, withOne((id) => removeFallen(db, id))],
    "delete an account": [
      deleting,
      async () => {
        const [gone] = people.splice(below(people.length), 1, await on.member("New Comer"));
        if (!gone) return;
        await on.deletion.requestFor(gone.id, 0);
        await on.deletion.deleteAccount(gone.id);
      },
    ],
    "drop a list": [1, withOne((id) => dropListOf(db, id))],
    "drop idle lists": [
      1,
      withOne(async (id) => {
        await query(
          db,
          "update home_lists set read_at = now() - interval '20 days' where account_id = $1",
          [id],
        );
        await dropIdle(db, 14, 10);
      }),
    ],
  };
  const often = Object.entries(acts).flatMap(([name, [times, act]]) =>
    Array.from({ length: times }, () => ({ name, act })),
  );
  const refused = new Set(["not-found", "edited-meanwhile"]);
  /** Suspended and blocked people are refused, as on a screen. */
  async function step(): Promise<string> {
    const { name, act } = oneOf(often);
    await act().catch((error: { code?: string }) => {
      if (!refused.has(error.code ?? "")) throw error;
    });
    return name;
  }
  return { step, below, oneOf };
}

/** Lists that were read from: without one nothing would be compared. */
async function listsInUse(): Promise<number> {
  const rows = await query(
    db,
    `select 1 from home_lists l where floor_id is not null and exists (
      select from home_entries e where e.account_id = l.account_id and e.post_id > l.floor_id)`,
  );
  return rows.length;
}

describe("home, read with lists,", () => {
  const steps = everything ? 200 : 80;

  test.each(everything ? [1, 2, 3] : [1])(
    "has the same pages as without them, whatever happens (history %i)",
    async (seed) => {
      const people = await on.members(7);
      const { step, below, oneOf } = history(seed, people);
      let used = 0;
      for (let i = 1; i <= steps; i += 1) {
        const done = await step();
        for (const viewer of people) {
          if (below(3) === 0) await expectTheSame(viewer, 1 + below(6), `step ${i}, ${done}`);
        }
        await expectVisit(oneOf(people), 1 + below(6), `step ${i}, ${done}`);
        used += await listsInUse();
      }
      // It takes a while until there are some.
      expect(used).toBeGreaterThan(steps / 4);
    },
  );

  test("has the same pages also while everything happens at once", async () => {
    const people = await on.members(6);
    const several = Array.from({ length: 5 }, (_, index) =>
      history(100 + index, people, { deleting: 0 }),
    );
    const during = { writing: true, reading: true, compared: 0 };
    const writing = Promise.all(
      several.map(async ({ step }) => {
        // However fast the machine is, pages are read between their acts.
        for (let i = 0; i < steps / 2 || (during.reading && during.compared < 2); i += 1)
          await step();
      }),
    ).finally(() => (during.writing = false));
    try {
      for (; during.writing; during.compared += 1) {
        for (const viewer of people) await expectTheSame(viewer, 3, "meanwhile");
      }
    } finally {
      during.reading = false;
    }
    await writing;
    for (const viewer of people) await expectTheSame(viewer, 3, "in the end");
    expect(during.compared).toBeGreaterThan(1);
  });
});

async function readerOf(...authors: Viewer[]) {
  const reader = await on.member("Reader");
  for (const { id } of authors) await on.follows.follow(reader, id);
  homeLists.refreshSoon(reader.id);
  await homeLists.work();
  return reader;
}
const entriesOf = (reader: Viewer) =>
  query<{ author_id: string }>(
    db,
    "select author_id from home_entries where account_id = $1 order by post_id desc",
    [reader.id],
  );
const keysOf = async (reader: Viewer, limit = 3) =>
  (await feed.homePostKeys(db, { viewerId: reader.id, below: highestId, limit })).keys;

describe("a list", () => {
  test("is the source that home is read from", async () => {
    const ada = await on.member("Ada");
    for (let i = 0; i < 4; i += 1) await on.textPost(ada);
    const reader = await readerOf(ada);
    expect(await keysOf(reader)).toHaveLength(3);
    await query(db, "delete from home_entries where account_id = $1", [reader.id]);
    // The floor is above: all posts are read as without a list.
    expect(await keysOf(reader)).toHaveLength(3);
    await query(db, "update home_lists set floor_id = $1 where account_id = $2", [
      lowestId,
      reader.id,
    ]);
    expect(await keysOf(reader)).toEqual([]);
  });

  test("gets the posts of those followed, and of nobody else", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const reader = await readerOf(ada);
    await on.textPost(ada);
    await on.textPost(bob);
    expect(await entriesOf(reader)).toEqual([]);
    await homeLists.work();
    expect(await entriesOf(reader)).toEqual([{ author_id: ada.id }]);
  });

  test("lacks people whom very many follow, and their posts are read all the same", async () => {
    const star = await on.member("Star");
    for (const fan of await on.members(small.mostFollowers)) await on.follows.follow(fan, star.id);
    const reader = await readerOf(star);
    const { postId } = await on.textPost(star);
    await homeLists.work();
    expect(await entriesOf(reader)).toEqual([]);
    expect(await keysOf(reader)).toEqual([{ authorId: star.id, id: postId }]);
  });

  test("still gets the posts of people it lists when they become popular", async () => {
    const star = await on.member("Star");
    const reader = await readerOf(star);
    for (const fan of await on.members(small.mostFollowers)) await on.follows.follow(fan, star.id);
    await on.textPost(star);
    await homeLists.work();
    expect(await entriesOf(reader)).toEqual([{ author_id: star.id }]);
  });

  test("is trimmed", async () => {
    const ada = await on.member("Ada");
    const reader = await readerOf(ada);
    for (let i = 0; i < small.maxEntries + 4; i += 1) await on.textPost(ada);
    await homeLists.work();
    expect(await entriesOf(reader)).toHaveLength(small.maxEntries);
  });

  test("is updated a day later: outdated entries are gone", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    await on.textPost(bob);
    const { number } = await on.textPost(ada);
    const reader = await readerOf(ada, bob);
    await on.follows.unfollow(reader, bob.id);
    await on.posts.remove(ada, ada.username, number);
    const due = async () =>
      (await feed.homePostKeys(db, { viewerId: reader.id, below: highestId, limit: 1 })).due;
    expect(await due()).toBe(false);
    await query(
      db,
      "update home_lists set read_at = read_at - interval '25 hours' where account_id = $1",
      [reader.id],
    );
    expect(await due()).toBe(true);
    homeLists.refreshSoon(reader.id);
    await homeLists.work();
    expect(await due()).toBe(false);
    expect(await entriesOf(reader)).toEqual([]);
  });

  test("is deleted when its owner stops coming, and returns with them", async () => {
    const ada = await on.member("Ada");
    await on.textPost(ada);
    const reader = await readerOf(ada);
    await query(
      db,
      "update home_lists set read_at = now() - interval '15 days' where account_id = $1",
      [reader.id],
    );
    await homeLists.sweep();
    expect(await entriesOf(reader)).toEqual([]);
    await on.textPost(ada);
    await homeLists.work();
    expect(await entriesOf(reader)).toEqual([]);
    homeLists.refreshSoon(reader.id);
    await homeLists.work();
    expect(await entriesOf(reader)).toHaveLength(2);
  });

  test("is deleted with its owner, and so are the posts of a deleted author", async () => {
    const ada = await on.member("Ada");
    await on.textPost(ada);
    const reader = await readerOf(ada);
    const bystander = await readerOf(ada);
    await on.textPost(ada);
    await homeLists.removeAllOf(reader.id, () => {});
    expect(await entriesOf(reader)).toEqual([]);
    expect(await entriesOf(bystander)).toHaveLength(1);
    await homeLists.removeAllOf(ada.id, () => {});
    expect(await entriesOf(bystander)).toEqual([]);
    expect(await query(db, "select 1 from home_pending where author_id = $1", [ada.id])).toEqual(
      [],
    );
  });
});

const setAudience = (post: MadePost, audience: Audience) =>
  query(db, "update posts set audience = $1 where id = $2", [audience, post.postId]);

/** Whether a statement waits for a lock. */
async function waiting(statement: string): Promise<boolean> {
  const rows = await query(
    db,
    `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
    [statement],
  );
  return rows.length > 0;
}

/** Waiting posts on their way into lists: held, and not looked at until `go`. */
function pausedListing() {
  const held = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const pausing: Database = {
    ...db,
    ...statementsOver(async (config) => {
      if (config.name === "home-lists.list-pending") {
        held.resolve();
        await go.promise;
      }
      return db.pool.query(config);
    }),
  };
  return { listing: lists.listPending(pausing, 100, small), held: held.promise, go: go.resolve };
}

describe("a post whose audience changes", () => {
  const close = audiences.indexOf("close-friends");

  test.each(audiences.flatMap((from) => audiences.map((to) => [from, to] as const)))(
    "is in a list or not as its audience is now: from %s to %s, listed before and after",
    async (from, to) => {
      const ada = await on.member("Ada");
      const reader = await readerOf(ada);
      const expected = audiences.indexOf(to) < close ? 1 : 0;
      for (const listedBefore of [false, true]) {
        const post = await on.publish(ada, { caption: "A few words", audience: from });
        if (listedBefore) await homeLists.work();
        await setAudience(post, to);
        expect(await keysOf(reader), "before it is listed").toHaveLength(expected);
        await homeLists.work();
        expect(await keysOf(reader)).toHaveLength(expected);
        await removeFallen(db, reader.id);
        expect(await entriesOf(reader)).toHaveLength(expected);
        await on.posts.remove(ada, ada.username, post.number);
      }
    },
  );

  test("is listed also where it grows while the lists are being written", async () => {
    const ada = await on.member("Ada");
    const reader = await readerOf(ada);
    const post = await on.publish(ada, { caption: "A few words", audience: "only-me" });
    const { listing, held, go } = pausedListing();
    await held;
    const grown = setAudience(post, "followers");
    await until(() => waiting("update posts set audience%"));
    go();
    await Promise.all([listing, grown]);
    expect(await keysOf(reader)).toHaveLength(1);
    await homeLists.work();
    expect(await entriesOf(reader)).toHaveLength(1);
  });

  test("is listed also where its import shows it while the lists are being written", async () => {
    const ada = await on.member("Ada");
    const reader = await readerOf(ada);
    const importId = newId();
    const post = await on.publish(ada, { caption: "A few words", audience: "only-me" });
    await markImported(db, { authorId: ada.id, id: post.postId, importId });
    await setAudience(post, "followers");
    const { listing, held, go } = pausedListing();
    await held;
    const shown = showNewest(db, { accountId: ada.id, id: importId });
    await until(() => waiting("%insert into home_pending%"));
    go();
    await Promise.all([listing, shown]);
    await query(db, "insert into shown_imports values ($1)", [post.postId]);
    expect(await keysOf(reader)).toHaveLength(1);
    await homeLists.work();
    expect(await entriesOf(reader)).toHaveLength(1);
  });

  test("stays listed where it grows while outdated entries are being removed", async () => {
    const ada = await on.member("Ada");
    const reader = await readerOf(ada);
    const post = await on.textPost(ada);
    await homeLists.work();
    await setAudience(post, "only-me");
    const holder = await db.pool.connect();
    await holder.query("begin");
    await holder.query("select from home_entries where account_id = $1 for update", [reader.id]);
    const removing = removeFallen(db, reader.id);
    await until(() => waiting("%delete from home_entries%"));
    await setAudience(post, "followers");
    let listed = false;
    const listing = homeLists.work().then(() => (listed = true));
    await until(async () => listed || (await waiting("%pg_advisory_xact_lock_shared%")));
    await holder.query("commit");
    holder.release();
    await Promise.all([removing, listing]);
    expect(await entriesOf(reader)).toHaveLength(1);
  });
});

describe("the background work on lists", () => {
  test("starts when somebody opens home, and continues with every post", async () => {
    const [reader, ada] = [await on.member("Reader"), await on.member("Ada")];
    await on.follows.follow(reader, ada.id);
    await on.textPost(ada);
    on.homeLists.start();
    try {
      await on.feed.visit(reader, 20);
      await until(async () => (await entriesOf(reader)).length === 1);
      await on.textPost(ada);
      await until(async () => (await entriesOf(reader)).length === 2);
      // as after an import, or when a process died right after: nobody announces it
      await query(
        db,
        "insert into posts (author_id, id, number, caption) values ($1, $2, 3, 'Brought along')",
        [ada.id, newId()],
      );
      await until(async () => (await entriesOf(reader)).length === 3);
    } finally {
      await on.homeLists.stop();
    }
    await on.textPost(await on.member("Somebody"));
    expect(await query(db, "select 1 from home_pending")).toHaveLength(1);
  });

  test("survives a read-only database, and logs nothing about it", async () => {
    const [reader, ada] = [await on.member("Reader"), await on.member("Ada")];
    await on.follows.follow(reader, ada.id);
    const said: unknown[] = [];
    let closed = true;
    let refused = 0;
    const refusing: Database = {
      ...db,
      transaction: (work) => {
        if (!closed) return db.transaction(work);
        refused += 1;
        return Promise.reject(Object.assign(new Error("read-only"), { code: "25006" }));
      },
    };
    const work = createHomeLists({
      db: refusing,
      log: { error: (what: unknown) => void said.push(what) },
    });
    await on.textPost(ada);
    work.start();
    try {
      work.refreshSoon(reader.id);
      await on.feed.visit(reader, 20);
      expect((await on.feed.home(reader, null)).items).toHaveLength(1);
      await until(() => refused > 0);
      closed = false;
      work.refreshSoon(reader.id);
      await until(async () => (await entriesOf(reader)).length === 1);
    } finally {
      await work.stop();
    }
    expect(said).toEqual([]);
  });
});
