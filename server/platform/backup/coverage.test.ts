import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { partCount, partOf, readAtOnce, readInParts } from "#server/platform/backup/coverage.ts";
import { newFolder } from "#server/test/backups.ts";

const dayMs = 24 * 60 * 60_000;
const begin = Date.parse("2026-11-01T03:30:00Z");
const names = Array.from({ length: 500 }, (_, index) => `file ${index}`);

/** Reads a large folder as the drill of a day does; returns what it read. `damaged`: what is not right. */
async function readOn(directory: string, day: number, damaged: ReadonlySet<string> = new Set()) {
  const reading = await readInParts(directory, new Date(begin + day * dayMs));
  const read: string[] = [];
  const restores = reading.isRestoreDue("restored", readAtOnce + 1);
  await reading.read(readAtOnce + 1, async (isIn) => {
    const some = names.filter(isIn);
    read.push(...some);
    return some.filter((name) => damaged.has(name)).length;
  });
  if (restores) reading.noteRestored("restored");
  await reading.save();
  return { read, restores, coverage: reading.coverage("restored") };
}

test("what is small is read and restored each time, and nothing is written down", async () => {
  const directory = newFolder();
  for (let day = 0; day < 2; day += 1) {
    const reading = await readInParts(directory, new Date(begin + day * dayMs));
    let read = 0;
    await reading.read(readAtOnce, async (isIn) => (read += names.filter(isIn).length));
    expect(read).toBe(names.length);
    expect(reading.isRestoreDue("restored", readAtOnce)).toBe(true);
    reading.noteRestored("restored");
    await reading.save();
    expect(reading.coverage("restored")).toBeNull();
  }
  expect(() => readFileSync(join(directory, "checked.json"))).toThrow("ENOENT");
});

test("what is large is read in parts, a part a day: all of it within 30 days, days without a drill included", async () => {
  const directory = newFolder();
  const lastRead = new Map<string, number>();
  const restored: number[] = [];
  for (let day = 0; day < 90; day += 1) {
    // A weekend without a server, and a week.
    if ([10, 11, 40, 41, 42, 43, 44, 45, 46].includes(day)) continue;
    const { read, restores, coverage } = await readOn(directory, day);
    for (const name of read) lastRead.set(name, day);
    if (restores) restored.push(day);
    if (day < 30) continue;
    const oldest = Math.min(...names.map((name) => lastRead.get(name) ?? -1));
    expect(day - oldest, `on day ${day}`).toBeLessThan(30);
    expect(coverage).toMatchObject({ read: partCount, of: partCount });
    // Nothing is read all at once, whatever was left out.
    if (day !== 47) expect(read.length).toBeLessThan(names.length / 10);
  }
  expect(restored).toEqual([0, 28, 56, 84]);
});

test("a part in which something is wrong is read each day until it is right", async () => {
  const directory = newFolder();
  const first = await readOn(directory, 0, new Set(names));
  const wrong = new Set(first.read.slice(0, 1));
  const [name = ""] = wrong;
  for (let day = 1; day < 4; day += 1) {
    const { read } = await readOn(directory, day, wrong);
    expect(read).toContain(name);
    expect(new Set(read.map(partOf)).size).toBe(2);
  }
  expect((await readOn(directory, 4)).read).toContain(name);
  expect((await readOn(directory, 5)).read).not.toContain(name);
  // Who loses what was written down begins anew.
  rmSync(join(directory, "checked.json"));
  expect((await readOn(directory, 6)).coverage).toMatchObject({ read: 1 });
});
