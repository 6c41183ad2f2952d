import { expect, test } from "vitest";
import { appScopes, covers, type AppScope } from "./app-scopes.ts";

/** Which scopes of docs.joinmastodon.org/api/oauth-scopes include which, besides itself. */
const coveredBy: Record<AppScope, string[]> = {
  profile: ["read", "read:accounts"],
  read: [],
  "read:accounts": ["read"],
  "read:blocks": ["read", "follow"],
  "read:bookmarks": ["read"],
  "read:favourites": ["read"],
  "read:filters": ["read"],
  "read:follows": ["read", "follow"],
  "read:lists": ["read"],
  "read:mutes": ["read", "follow"],
  "read:notifications": ["read"],
  "read:search": ["read"],
  "read:statuses": ["read"],
  write: [],
  "write:accounts": ["write"],
  "write:blocks": ["write", "follow"],
  "write:bookmarks": ["write"],
  "write:conversations": ["write"],
  "write:favourites": ["write"],
  "write:filters": ["write"],
  "write:follows": ["write", "follow"],
  "write:lists": ["write"],
  "write:media": ["write"],
  "write:mutes": ["write", "follow"],
  "write:notifications": ["write"],
  "write:reports": ["write"],
  "write:statuses": ["write"],
  follow: [],
  push: [],
};

test.each(appScopes)(
  "%s is covered by itself, by the wider ones of the list, and by no other",
  (wanted) => {
    const found = appScopes.filter((granted) => covers([granted], wanted));
    expect(found.toSorted()).toEqual([wanted, ...coveredBy[wanted]].toSorted());
  },
);

test("one of several is enough, and nothing covers nothing", () => {
  expect(covers(["push", "read"], "read:statuses")).toBe(true);
  expect(covers([], "push")).toBe(false);
});
