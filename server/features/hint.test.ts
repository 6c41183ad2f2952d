import { expect, test } from "vitest";
import { decodeHint, encodeHint, type Hint } from "#server/features/change-hint.ts";
import { newId } from "#server/platform/db/ids.ts";

const [accountId, other, third] = [newId(), newId(), newId()];
const [streamId, sessionId] = ["kK-0_aZ9kK-0_aZ9kK-0_a", other];

const hints: Hint[] = [
  { kind: "messages" },
  { kind: "posted", authorId: accountId },
  { kind: "posted", authorId: accountId, postId: other },
  { kind: "gone", authorId: accountId, postId: other },
  { kind: "gone", authorId: accountId, postId: other, audience: "close-friends" },
  { kind: "narrowed", ownerId: accountId, albumId: other, was: "everyone" },
  { kind: "edited", authorId: accountId, postId: other },
  { kind: "edited", authorId: accountId, postId: other, was: "everyone" },
  { kind: "post", authorId: accountId, postId: other },
  { kind: "unread", accountId },
  { kind: "unread", accountId, actId: third },
  { kind: "read", accountId, conversationId: other, seq: 12 },
  { kind: "typing", accountId, chatId: other },
  { kind: "follow", accountId, otherId: other },
  { kind: "watch", sessionId, streamId, posts: [`${accountId}.${third}`, `${other}.${third}`] },
  { kind: "watch", sessionId, streamId, posts: [] },
  {
    kind: "counted",
    limit: "requests",
    caller: "2001:db8::",
    process: "kK-0_aZ9",
    count: 120,
    since: 1_795_402_338_312,
  },
];

test.each(hints.map((hint) => [encodeHint(hint), hint] as const))(
  "%s is read by another process as what it was",
  (text, hint) => {
    expect(decodeHint(text)).toEqual(hint);
    expect(text).not.toContain("\n");
  },
);

test("different hints are different texts", () => {
  expect(new Set(hints.map(encodeHint)).size).toBe(hints.length);
});

test("an audience that only a later release knows is left out", () => {
  const hint = { authorId: accountId, postId: other };
  for (const kind of ["gone", "edited"] as const)
    expect(decodeHint(`${kind}:${accountId}.${other}:town`)).toEqual({ kind, ...hint });
});

test("the release before finds what it knows where it looks for it", () => {
  // It split at colons, and the second part at dots.
  const was = { authorId: accountId, postId: other };
  const texts = [
    encodeHint({ kind: "gone", ...was, audience: "only-me" }),
    encodeHint({ kind: "edited", ...was, was: "followers" }),
  ];
  for (const text of texts) expect(text.split(":")[1]?.split(".")).toEqual([accountId, other]);
});

test.each(["", "tea", "tea:of:a:later:release", `to:${accountId}:wave:${other}`])(
  "%j of another release means nothing here",
  (text) => {
    expect(decodeHint(text)).toBeNull();
  },
);
