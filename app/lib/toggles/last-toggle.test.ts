import { expect, test } from "vitest";
import { createLastToggle } from "#app/lib/toggles/last-toggle.ts";

const settle = () => new Promise((resolve) => setTimeout(resolve));

/** Saves that end when the test says so. */
function slowSaves(saved: boolean) {
  const sent: { value: boolean; done: () => void; fail: () => void }[] = [];
  const calls: string[] = [];
  const toggle = createLastToggle<boolean, string>({
    saved,
    save: (value) =>
      new Promise((resolve, reject) => {
        sent.push({
          value,
          done: () => resolve(`saved ${value}`),
          fail: () => reject(new Error()),
        });
      }),
    onSettled: (value, answer) => calls.push(`settled ${value}: ${answer}`),
    onFailed: (still) => calls.push(`failed, still ${still}`),
  });
  return { set: toggle.set, sent, calls };
}

test("while one save is under way, only the last of many clicks is sent after it", async () => {
  const { set, sent, calls } = slowSaves(false);
  set(true);
  for (const next of [false, true, false, true, false]) set(next);
  expect(sent.map((save) => save.value)).toEqual([true]);
  sent[0]?.done();
  await settle();
  expect(sent.map((save) => save.value)).toEqual([true, false]);
  expect(calls).toEqual([]);
  sent[1]?.done();
  await settle();
  expect(calls).toEqual(["settled false: saved false"]);
});

test("a click that returns to what is being saved sends nothing more", async () => {
  const { set, sent, calls } = slowSaves(false);
  set(true);
  set(false);
  set(true);
  sent[0]?.done();
  await settle();
  expect(sent).toHaveLength(1);
  expect(calls).toEqual(["settled true: saved true"]);
});

test("a failed save turns back to what the server holds, and the next click tries again", async () => {
  const { set, sent, calls } = slowSaves(true);
  set(false);
  sent[0]?.fail();
  await settle();
  expect(calls).toEqual(["failed, still true"]);
  set(false);
  expect(sent).toHaveLength(2);
  sent[1]?.done();
  await settle();
  expect(calls.at(-1)).toBe("settled false: saved false");
});
