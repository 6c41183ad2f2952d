import { expect, test } from "vitest";
import { messagePositions } from "#app/features/chat/message-groups.ts";
import { isOnlyEmoji } from "#app/features/chat/only-emoji.ts";

const at = (time: string) => Date.parse(`2026-11-${time}:00Z`);

test("messages of one person within five minutes are grouped, days and people are separate", () => {
  const messages = [
    { senderId: "ana", createdAt: at("20T23:58") },
    { senderId: "ana", createdAt: at("20T23:59") },
    { senderId: "ana", createdAt: at("21T00:01") },
    { senderId: "bo", createdAt: at("21T00:02") },
    { senderId: "bo", createdAt: at("21T00:09") },
  ];
  const positions = messagePositions(messages, "UTC");
  expect(positions.map(({ startsDay }) => startsDay)).toEqual([true, false, true, false, false]);
  expect(positions.map(({ startsGroup }) => startsGroup)).toEqual([true, false, true, true, true]);
  expect(positions.map(({ endsGroup }) => endsGroup)).toEqual([false, true, true, true, true]);
  // One hour further east all of it is the same day.
  const eastern = messagePositions(messages, "Europe/Berlin", 1);
  expect(eastern.map(({ startsDay }) => startsDay)).toEqual([true, false, false, false, false]);
  expect(eastern.map(({ startsGroup }) => startsGroup)).toEqual([true, true, false, true, true]);
});

test("one to three emoji are drawn large, words and digits are not", () => {
  for (const text of ["❤️", "👨‍👩‍👧", "🇩🇪🎉", "👍🏽👍🏽👍🏽", "1️⃣"])
    expect(isOnlyEmoji(text), text).toBe(true);
  for (const text of ["", "1", "©", "ok 👍", "👍👍👍👍", "א"])
    expect(isOnlyEmoji(text), text).toBe(false);
});
