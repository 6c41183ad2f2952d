import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { insertAccounts, insertTextPosts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everything } from "#server/test/everything.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import type { Change, DocumentedPost, DocumentedUser } from "#shared/documents.inputs.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * Two members, each with two clients that use their copies for any time and never look at what the
 * other one does, and a third member who only has posts. Whatever they send, the server does what
 * this file's model says: one accepted change, nothing, or a conflict that changes nothing, and
 * never a change of what belongs to somebody else.
 */
/** The same histories on every machine; another number tries others. */
const seed = 48;
const runs = everything ? { numRuns: 240, seed } : { numRuns: 80, seed };

/** Thousands of calls: a busy machine may be slow. */
const patient = { timeout: 300_000 };

let db: Database;
let on: TestFeatures;
let members: [Viewer, Viewer, Viewer];

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  members = (await insertAccounts(db, 3)) as typeof members;
});

// The state of all members, by their index.

type State = {
  /** "caller>author/number" */
  likes: Set<string>;
  saves: Set<string>;
  /** "caller>followee" */
  follows: Set<string>;
  posts: AuthorPosts[];
};
type AuthorPosts = {
  here: Set<number>;
  last: number;
  /** number and moment, as the server or a client says them → the number; also of deleted posts */
  known: Map<string, number>;
};

/** What a client sends, in the model's terms: each entry of the caller's own. */
type Sent =
  | { kind: "like"; caller: number; author: number; entries: [key: string, liked: boolean][] }
  | { kind: "save"; caller: number; entries: { author: number; key: string }[] }
  | { kind: "followers"; caller: number; target: number; follows: boolean }
  | { kind: "following"; caller: number; targets: number[] }
  | { kind: "upload"; caller: number; keys: string[] };

type Outcome = "changed" | "unchanged" | "conflict";

/** The rules once more, for numbers and sets. */
function after(before: State, sent: Sent): { outcome: Outcome; state: State } {
  const state = structuredClone(before);
  const outcome = apply(state, sent);
  return { outcome, state: outcome === "changed" ? state : before };
}

function apply(state: State, sent: Sent): Outcome {
  const { caller } = sent;
  if (sent.kind === "followers") {
    const follow = `${caller}>${sent.target}`;
    if (state.follows.has(follow) === sent.follows) return "unchanged";
    return flip(state.follows, [follow]);
  }
  if (sent.kind === "following") {
    const now = owned(state.follows, caller);
    const wished = new Set(sent.targets.map((target) => `${caller}>${target}`));
    return flip(state.follows, differing(now, wished));
  }
  if (sent.kind === "like") {
    const wrong = sent.entries.flatMap(([key, liked]) => {
      const number = state.posts[sent.author]?.known.get(key);
      if (number === undefined || !state.posts[sent.author]?.here.has(number)) return [];
      const like = `${caller}>${sent.author}/${number}`;
      return state.likes.has(like) === liked ? [] : [like];
    });
    return flip(state.likes, wrong);
  }
  if (sent.kind === "save") {
    const wished = new Set<string>();
    for (const { author, key } of sent.entries) {
      const number = state.posts[author]?.known.get(key);
      if (number !== undefined && state.posts[author]?.here.has(number)) {
        wished.add(`${caller}>${author}/${number}`);
      }
    }
    return flip(state.saves, differing(owned(state.saves, caller), wished));
  }
  const posts = state.posts[caller] as AuthorPosts;
  const added = sent.keys.filter((key) => !posts.known.has(key));
  if (added.length > 1) return "conflict";
  if (added.length === 1) {
    posts.last += 1;
    posts.here.add(posts.last);
    posts.known.set(added[0] as string, posts.last);
    return "changed";
  }
  const named = new Set(sent.keys.map((key) => posts.known.get(key)));
  const missing = [...posts.here].filter((number) => !named.has(number));
  if (missing.length > 1) return "conflict";
  const [number] = missing;
  if (number === undefined) return "unchanged";
  posts.here.delete(number);
  const gone = `>${caller}/${number}`;
  for (const set of [state.likes, state.saves]) {
    for (const entry of set) if (entry.endsWith(gone)) set.delete(entry);
  }
  return "changed";
}

function owned(set: ReadonlySet<string>, caller: number): Set<string> {
  return new Set([...set].filter((entry) => entry.startsWith(`${caller}>`)));
}

function differing(one: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [...[...one].filter((e) => !other.has(e)), ...[...other].filter((e) => !one.has(e))];
}

function flip(set: Set<string>, entries: string[]): Outcome {
  if (entries.length > 1) return "conflict";
  const [entry] = entries;
  if (entry === undefined) return "unchanged";
  if (!set.delete(entry)) set.add(entry);
  return "changed";
}

function shown({ likes, saves, follows, posts }: State) {
  return {
    likes: [...likes].toSorted(),
    saves: [...saves].toSorted(),
    follows: [...follows].toSorted(),
    posts: posts.map(({ here, last }) => ({ here: [...here].toSorted((a, b) => a - b), last })),
  };
}

/** The same, of the tables. */
async function stored() {
  type Row = { caller: string; author: string; number: number | null };
  const post = "join posts p on p.author_id = r.author_id and p.id = r.post_id";
  const [row] = await query<Record<"likes" | "saves" | "follows" | "posts" | "last", Row[]>>(
    db,
    `select
      (select json_agg(json_build_object('caller', r.account_id, 'author', p.author_id,
        'number', p.number)) from likes r ${post}) as likes,
      (select json_agg(json_build_object('caller', r.account_id, 'author', p.author_id,
        'number', p.number)) from bookmarks r ${post}) as saves,
      (select json_agg(json_build_object('caller', follower_id, 'author', followee_id))
        from follows) as follows,
      (select json_agg(json_build_object('author', author_id, 'number', number)) from posts) as posts,
      (select json_agg(json_build_object('author', account_id, 'number', last_post_number))
        from account_counters) as last`,
  );
  const place = (id: string) => members.findIndex((member) => member.id === id);
  const each = (rows: Row[] | null | undefined, say: (one: Row) => string) =>
    (rows ?? []).map(say).toSorted();
  return {
    likes: each(row?.likes, (r) => `${place(r.caller)}>${place(r.author)}/${r.number}`),
    saves: each(row?.saves, (r) => `${place(r.caller)}>${place(r.author)}/${r.number}`),
    follows: each(row?.follows, (r) => `${place(r.caller)}>${place(r.author)}`),
    posts: members.map(({ id }) => ({
      here: (row?.posts ?? [])
        .filter(({ author }) => author === id)
        .map(({ number }) => Number(number))
        .toSorted((a, b) => a - b),
      last: row?.last.find(({ author }) => author === id)?.number ?? 0,
    })),
  };
}

// The clients: they know the calls and their own copies, not the model.

type Client = { caller: number; copies: DocumentedUser[] };
type Send = { sent: Sent; send: () => Promise<Change> };

let clock = 0;

const keyOf = ({ postId, time }: { postId: number; time: number }) => `${postId}:${time}`;
const placeOf = (address: string) =>
  members.findIndex(({ email, username }) => email === address || username === address);
const addressFor = (caller: number, who: number) =>
  (caller === who ? members[who]?.email : members[who]?.username) ?? "";

async function load(client: Client, who: number): Promise<void> {
  const viewer = members[client.caller] as Viewer;
  client.copies[who] = await on.documents.byId(viewer, members[who]?.id ?? "");
}

function toggled(list: readonly string[], entry: string): string[] {
  return list.includes(entry) ? list.filter((one) => one !== entry) : [...list, entry];
}

/** Changes the client's own copy as its user wants, and sends it whole. */
const acts: Record<string, (client: Client, who: number, pick: number) => Send | null> = {
  like({ caller, copies }, author, pick) {
    const { posts } = copies[author] as DocumentedUser;
    const me = addressFor(caller, caller);
    const post = posts[pick % posts.length];
    if (!post) return null;
    post.likeAccounts = toggled(post.likeAccounts, me);
    const body = structuredClone({ posts });
    return {
      sent: {
        kind: "like",
        caller,
        author,
        entries: posts.map((one) => [keyOf(one), one.likeAccounts.includes(me)]),
      },
      send: () => on.changes.like(members[caller] as Viewer, addressFor(caller, author), body),
    };
  },

  save({ caller, copies }, author, pick) {
    const own = copies[caller] as DocumentedUser;
    const { posts } = copies[author] as DocumentedUser;
    const post = posts[pick % posts.length];
    if (!post) return null;
    const rest = own.bookMarks.filter((one) => {
      return placeOf(one.author) !== author || keyOf(one) !== keyOf(post);
    });
    own.bookMarks =
      rest.length < own.bookMarks.length
        ? rest
        : [...rest, { ...post, author: addressFor(caller, author) }];
    const body = structuredClone({ bookMarks: own.bookMarks });
    return {
      sent: {
        kind: "save",
        caller,
        entries: own.bookMarks.map((one) => ({ author: placeOf(one.author), key: keyOf(one) })),
      },
      send: () => on.changes.bookmark(members[caller] as Viewer, addressFor(caller, caller), body),
    };
  },

  followers({ caller, copies }, who) {
    const target = who === caller ? (who + 1) % 3 : who;
    const copy = copies[target] as DocumentedUser;
    const me = addressFor(caller, caller);
    copy.followerAccounts = toggled(copy.followerAccounts, me);
    const body = { followers: 99, followerAccounts: [...copy.followerAccounts] };
    return {
      sent: { kind: "followers", caller, target, follows: copy.followerAccounts.includes(me) },
      send: () => on.changes.follow(members[caller] as Viewer, addressFor(caller, target), body),
    };
  },

  following({ caller, copies }, who) {
    const target = who === caller ? (who + 1) % 3 : who;
    const own = copies[caller] as DocumentedUser;
    own.followingAccounts = toggled(own.followingAccounts, addressFor(caller, target));
    const body = { following: 0, followingAccounts: [...own.followingAccounts] };
    return {
      sent: { kind: "following", caller, targets: own.followingAccounts.map(placeOf) },
      send: () => on.changes.follow(members[caller] as Viewer, addressFor(caller, caller), body),
    };
  },

  post(client) {
    const own = client.copies[client.caller] as DocumentedUser;
    clock += 1;
    const [first] = own.posts;
    own.idParam += 1;
    own.posts.push({
      ...(first as DocumentedPost),
      postId: own.idParam,
      time: clock,
      caption: "New",
      likeAccounts: [],
      author: own.email,
    });
    return upload(client);
  },

  delete(client, _who, pick) {
    const own = client.copies[client.caller] as DocumentedUser;
    // One stays, to be copied by the next new one.
    if (own.posts.length > 1) own.posts.splice(pick % own.posts.length, 1);
    return upload(client);
  },
};

function upload({ caller, copies }: Client): Send {
  const { posts, idParam } = copies[caller] as DocumentedUser;
  const body = structuredClone({ postsCount: posts.length, idParam, posts });
  return {
    sent: { kind: "upload", caller, keys: posts.map(keyOf) },
    send: () => on.changes.upload(members[caller] as Viewer, addressFor(caller, caller), body),
  };
}

/** Everybody with two posts and nothing else, and four clients that have just loaded everything. */
async function begin(): Promise<{ state: State; clients: Client[] }> {
  await query(
    db,
    `with a as (delete from bookmarks), b as (delete from follows), c as (delete from followers),
      d as (delete from deleted_posts), e as (delete from posts)
    update account_counters set posts = 0, last_post_number = 0, followers = 0, following = 0`,
  );
  await insertTextPosts(db, members, 2);
  const copies: DocumentedUser[][] = [];
  for (const viewer of members.slice(0, 2)) {
    const { items } = await on.documents.page(viewer, null);
    const seen = members.flatMap(({ id }) => items.filter(({ _id }) => _id === id));
    copies.push(seen);
  }
  const state: State = {
    likes: new Set(),
    saves: new Set(),
    follows: new Set(),
    posts: (copies[0] ?? []).map(({ posts }) => ({
      here: new Set(posts.map(({ postId }) => postId)),
      last: posts.length,
      known: new Map(posts.map((post) => [keyOf(post), post.postId])),
    })),
  };
  const clients = [0, 0, 1, 1].map((caller) => ({
    caller,
    copies: structuredClone(copies[caller] ?? []),
  }));
  return { state, clients };
}

type Answer = { outcome: Outcome; change: Change | null };

async function answerTo({ send }: Send): Promise<Answer> {
  try {
    const change = await send();
    return { outcome: change.modifiedCount ? "changed" : "unchanged", change };
  } catch (error) {
    if ((error as { code?: unknown }).code !== "conflict") throw error;
    return { outcome: "conflict", change: null };
  }
}

/** The server's name of a new post, beside the one that its client gave it. */
function learn(state: State, caller: number, { change }: Answer): void {
  if (change?.postId === undefined) return;
  const key = keyOf({ postId: change.postId, time: change.time ?? 0 });
  state.posts[caller]?.known.set(key, change.postId);
}

const step = fc.record({
  client: fc.nat(3),
  act: fc.constantFrom(...Object.keys(acts), "load", "load"),
  who: fc.nat(2),
  pick: fc.nat(5),
});
const history = fc.array(step, { minLength: 3, maxLength: 12 });

describe("whatever stale clients send", () => {
  test(
    "is one wish, nothing or a conflict, and changes nothing of anybody else's",
    patient,
    async () => {
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(history, async (steps) => {
          let { state, clients } = await begin();
          for (const { client: nth, act, who, pick } of steps) {
            const client = clients[nth] as Client;
            if (act === "load") {
              await load(client, who);
              continue;
            }
            const message = acts[act]?.(client, who, pick);
            if (!message) continue;
            const expected = after(state, message.sent);
            const answer = await answerTo(message);
            seen.add(`${message.sent.kind}: ${answer.outcome}`);
            expect(answer.outcome).toBe(expected.outcome);
            ({ state } = expected);
            learn(state, client.caller, answer);
            expect(await stored()).toEqual(shown(state));
          }
        }),
        runs,
      );
      expect(await reconcileCounters(db)).toEqual([]);
      // Every end of every call was reached, or this shows little.
      const kinds = ["like", "save", "following", "upload"];
      const outcomes = ["changed", "unchanged", "conflict"];
      const ends = kinds.flatMap((kind) => outcomes.map((outcome) => `${kind}: ${outcome}`));
      expect(ends.filter((end) => !seen.has(end))).toEqual([]);
    },
  );

  test("at the same moment has the result of one of them coming first", patient, async () => {
    await fc.assert(
      fc.asyncProperty(history, step, step, async (steps, one, other) => {
        let { state, clients } = await begin();
        for (const { client: nth, act, who, pick } of steps.slice(0, 4)) {
          const client = clients[nth] as Client;
          const message = acts[act]?.(client, who, pick);
          if (!message) continue;
          ({ state } = after(state, message.sent));
          learn(state, client.caller, await answerTo(message));
        }
        // The two clients of one caller.
        const messages = [one, other].flatMap(({ act, who, pick }, nth) => {
          return acts[act]?.(clients[nth] as Client, who, pick) ?? [];
        });
        const [a, b] = messages;
        if (!a || !b) return;
        const [toA, toB] = await Promise.all([answerTo(a), answerTo(b)]);
        const orders = [inTurn(state, a.sent, b.sent), inTurn(state, b.sent, a.sent).toReversed()];
        const found = { outcomes: [toA.outcome, toB.outcome], stored: await stored() };
        expect(
          orders.map(([first, second]) => ({
            outcomes: [first?.outcome, second?.outcome],
            stored: first?.end,
          })),
        ).toContainEqual(found);
      }),
      { ...runs, numRuns: runs.numRuns / 4 },
    );
    expect(await reconcileCounters(db)).toEqual([]);
  });
});

/** The answers in this order, and the final state. */
function inTurn(state: State, first: Sent, second: Sent) {
  const one = after(state, first);
  const two = after(one.state, second);
  const end = shown(two.state);
  return [
    { outcome: one.outcome, end },
    { outcome: two.outcome, end },
  ];
}
