import { beforeAll, describe, expect, test } from "vitest";
import { countingEmailLookups } from "#server/features/people/index.ts";
import { builtScreens, testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { MadePost } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { chatIdOf } from "#shared/chat.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

// Every way to find an account by email, through every API, and that they all share one budget.
const { db } = await freshDatabase();
const screens = await builtScreens();
const { app, features, call } = await testApp(db, {}, { rateLimits: true, screens });
const publicUrl = "http://localhost:3000";
const name = "Zelda Quagmire";

let owner: Viewer;
let post: MadePost;
/** one who has looked up nobody yet, and one who has used up the budget */
let fresh: Viewer;
let spent: Viewer;
const tokens = new Map<string, Record<string, string>>();

beforeAll(async () => {
  [owner, fresh, spent] = (await insertAccounts(
    db,
    3,
    (n) => [name, "Fresh", "Spent"][n] ?? "",
  )) as [Viewer, Viewer, Viewer];
  // The username has nothing of it, so that an answer which repeats the username reveals nothing.
  owner.email = "zelda.q@private.example";
  await query(db, "update accounts set email = $2, email_as_typed = $2 where id = $1", [
    owner.id,
    owner.email,
  ]);
  post = await features.textPost(owner, "a word of Zelda Quagmire");
  for (const viewer of [fresh, spent]) {
    await features.follows.follow(viewer, owner.id);
    await features.follows.follow(owner, viewer.id);
    tokens.set(viewer.id, (await connectedApp(features, viewer)).headers);
  }
  const words = { body: "hello", picture: null, clientKey: null };
  await features.chat.send(fresh, chatIdOf(fresh, owner), words);
  for (let n = 0; n < limits.emailSearch.queriesPerHour; n += 1) {
    const answer = await call(spent, "GET", `/api/users/nobody-${n}@private.example`);
    expect(answer.statusCode).toBe(404);
  }
});

type Asked = { by: Viewer; email: string };
const path = (email: string) => encodeURIComponent(email);

/** Addresses that look up the account with an email; the answers contain its name. */
const ways: Record<string, (asked: Asked) => string> = {
  "the search": ({ email }) => `/search?q=${path(email)}`,
  "the search's data": ({ email }) => `/search.data?q=${path(email)}`,
  "a part of the email": ({ email }) => `/api/search?q=${path(email.slice(3))}`,
  "the search's call": ({ email }) => `/api/search?q=${path(email)}`,
  "a post": ({ email }) => `/post/${email}/${post.number}`,
  "a post's data": ({ email }) => `/post/${path(email)}/${post.number}.data`,
  "a post in another letter case": ({ email }) => `/POST/${email.toUpperCase()}/${post.number}`,
  "a post by a call": ({ email }) => `/api/posts/${email}/${post.number}`,
  "a documented account": ({ email }) => `/api/users/${email}`,
  "a documented account by its email": ({ email }) => `/api/users/email/${path(email)}`,
  "a documented chat": ({ by, email }) => `/api/chats/${by.email}${email}`,
  "a chat by a username and an email": ({ by, email }) => `/chat/${by.username}${email}`,
  "a chat, the other way round": ({ by, email }) => `/chat/${path(email)}${by.username}`,
};

/** A profile's address has an id or a username: no email leads to a profile. */
const noWays = ["/search/", "/profile/followers/", "/profile/following/", "/follow/", "/block/"];

/** The same for the Mastodon client API; `true` for those that compare emails at all. */
const appWays: Record<string, readonly [(email: string) => string, boolean]> = {
  "an app's search": [(email) => `/api/v2/search?q=${path(email)}`, true],
  "an app's search of accounts": [(email) => `/api/v1/accounts/search?q=${path(email)}`, true],
  "an app's look-up": [(email) => `/api/v1/accounts/lookup?acct=${path(email)}`, false],
  "an app's look-up with an @": [(email) => `/api/v1/accounts/lookup?acct=@${path(email)}`, false],
  "a post that was pasted": [
    (email) => `/api/v2/search?q=${path(`${publicUrl}/post/${email}/${post.number}`)}`,
    false,
  ],
  "a profile that was pasted": [
    (email) => `/api/v2/search?q=${path(`${publicUrl}/search/${email}`)}`,
    false,
  ],
};

type Answer = Promise<{ body: string; headers: Record<string, unknown> }>;

async function isFound(answer: Answer): Promise<boolean> {
  const { body, headers } = await answer;
  const said = body + String(headers["location"]);
  return [name, owner.id, owner.username].some((text) => said.includes(text));
}

describe("the account with an email is found", () => {
  test.each(Object.entries(ways))("by %s, within the budget alone", async (_way, at) => {
    const ask = (by: Viewer) => isFound(call(by, "GET", at({ by, email: owner.email })));
    expect(await ask(fresh)).toBe(true);
    expect(await ask(spent)).toBe(false);
  });

  test.each(noWays)("by none of %s", async (at) => {
    for (const address of [at + path(owner.email), `${at}${owner.email}.data`]) {
      expect(await isFound(call(fresh, "GET", address))).toBe(false);
    }
  });

  test.each(Object.entries(appWays))("by %s, within the budget at most", async (_way, [at, is]) => {
    const ask = (by: Viewer) =>
      isFound(app.inject({ url: at(owner.email), headers: tokens.get(by.id) ?? {} }));
    expect(await ask(fresh)).toBe(is);
    expect(await ask(spent)).toBe(false);
  });

  test.each(["lookup?acct=", "search?q="])("by username in any case: %s", async (way) => {
    const url = `/api/v1/accounts/${way}${owner.username}`;
    expect(await isFound(app.inject({ url, headers: tokens.get(spent.id) ?? {} }))).toBe(true);
  });
});

const number = () => post.number;
const orNobody = (found: Promise<unknown>) => found.catch(() => null);

describe("an API that counts no emails finds nobody by one", () => {
  const lookups: Record<string, (email: string) => Promise<unknown>> = {
    "the account at an address": (email) => features.accounts.findByAddress(fresh, email),
    "a post": (email) => features.posts.get(fresh, email, number()),
    "a post's details": (email) => features.posts.details(fresh, email, number()),
    "what a like or a comment is for": (email) => features.posts.refAt(fresh, email, number()),
    "a chat": (email) => features.chat.refAt(fresh, `${fresh.username}${email}`),
    "a chat's messages": (email) => features.chat.conversation(fresh, `${email}${fresh.email}`),
    "a document": (email) => features.documents.at(fresh, email),
    "a documented thread": (email) => features.threads.ofPost(fresh, email, number()),
    "a documented comment": (email) =>
      features.threads.add(fresh, { author: email, postId: number(), comment: "found you" }),
    "the thread of a commentId": async (email) => {
      const refused = await features.threads.clear(fresh, `${email}${number()}`).catch(String);
      return String(refused).includes("Only the owner") ? refused : null;
    },
    "a documented follow": async (email) => {
      const following = { following: 1, followingAccounts: [email] };
      await features.follows.unfollow(fresh, owner.id);
      await features.changes.follow(fresh, fresh.email, following);
      const [now] = await features.relations.relations(fresh, [owner.id]);
      return now?.following || null;
    },
    "a documented bookmark": async (email) => {
      const bookMarks = [{ postId: number(), author: email }];
      await features.changes.bookmark(fresh, fresh.email, { bookMarks }).catch(() => null);
      return (await features.bookmarks.counts(fresh)).texts || null;
    },
  };

  test.each(Object.entries(lookups))("%s", async (_what, find) => {
    const within = (email: string) => countingEmailLookups(() => orNobody(find(email)));
    expect(await within(owner.email)).toBeNull();
    expect(await within(owner.email.toUpperCase())).toBeNull();
    expect(await orNobody(find(owner.email)), "outside of requests it is found").not.toBeNull();
  });

  test("except for oneself and counted emails", async () => {
    const { accounts, search } = features;
    await countingEmailLookups(async () => {
      expect(await accounts.findByAddress(fresh, fresh.email)).toMatchObject({ id: fresh.id });
      await search.countAddresses(fresh, "", [owner.email]);
      expect(await accounts.findByAddress(fresh, owner.email)).toMatchObject({ id: owner.id });
      expect(await accounts.findByAddress(fresh, spent.email)).toBeNull();
    });
  });
});
