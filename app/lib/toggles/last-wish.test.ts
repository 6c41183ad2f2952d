import { expect, test } from "vitest";
import { createLastWish } from "#app/lib/toggles/last-wish.ts";

const settle = () => new Promise((resolve) => setTimeout(resolve));

/** Saves that end when the test says so. */
function slowSaves(saved: boolean) {
  const sent: { wish: boolean; done: () => void; fail: () => void }[] = [];
  const told: string[] = [];
  const wishes = createLastWish<boolean, string>({
    saved,
    save: (wish) =>
      new Promise((resolve, reject) => {
        sent.push({ wish, done: () => resolve(`saved ${wish}`), fail: () => reject(new Error()) });
      }),
    onSettled: (wish, answer) => told.push(`settled ${wish}: ${answer}`),
    onFailed: (still) => told.push(`failed, still ${still}`),
  });
  return { wish: wishes.wish, sent, told };
}

test("while one save is under way, only the last of many wishes is sent after it", async () => {
  const { wish, sent, told } = slowSaves(false);
  wish(true);
  for (const next of [false, true, false, true, false]) wish(next);
  expect(sent.map((save) => save.wish)).toEqual([true]);
  sent[0]?.done();
  await settle();
  expect(sent.map((save) => save.wish)).toEqual([true, false]);
  expect(told).toEqual([]);
  sent[1]?.done();
  await settle();
  expect(told).toEqual(["settled false: saved false"]);
});

test("a wish that returns to what is being saved sends nothing more", async () => {
  const { wish, sent, told } = slowSaves(false);
  wish(true);
  wish(false);
  wish(true);
  sent[0]?.done();
  await settle();
  expect(sent).toHaveLength(1);
  expect(told).toEqual(["settled true: saved true"]);
});

test("a failed save turns back to what the server holds, and the next wish tries again", async () => {
  const { wish, sent, told } = slowSaves(true);
  wish(false);
  sent[0]?.fail();
  await settle();
  expect(told).toEqual(["failed, still true"]);
  wish(false);
  expect(sent).toHaveLength(2);
  sent[1]?.done();
  await settle();
  expect(told.at(-1)).toBe("settled false: saved false");
});
