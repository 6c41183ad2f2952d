import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createKeyedQueue } from "#server/compat/documents/change-queue.ts";

test("tasks of one key run one after another, those of different keys in parallel", async () => {
  const { enqueue } = createKeyedQueue({ most: 10 });
  const steps: string[] = [];
  const work =
    (name: string, fails = false) =>
    async () => {
      steps.push(`${name} begins`);
      await turn();
      steps.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const all = await Promise.allSettled([
    enqueue("ada", work("a1", true)),
    enqueue("ada", work("a2")),
    enqueue("bob", work("b1")),
    enqueue("ada", work("a3")),
  ]);
  expect(all.map(({ status }) => status)).toEqual([
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
  const ofAda = steps.filter((step) => step.startsWith("a"));
  expect(ofAda.map((step) => step.slice(0, 4))).toEqual([
    "a1 b",
    "a1 e",
    "a2 b",
    "a2 e",
    "a3 b",
    "a3 e",
  ]);
  expect(steps.indexOf("b1 begins")).toBeLessThan(steps.indexOf("a1 ends"));
});

test("a full queue refuses, and accepts again once it is shorter", async () => {
  const { enqueue } = createKeyedQueue({ most: 2 });
  const done = Promise.withResolvers<void>();
  const kept = [1, 2, 3].map(() => enqueue("ada", () => done.promise));
  await expect(enqueue("ada", async () => 1)).rejects.toMatchObject({ code: "too-many-attempts" });
  done.resolve();
  await Promise.all(kept);
  expect(await enqueue("ada", async () => 1)).toBe(1);
});
