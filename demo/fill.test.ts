import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { createClock } from "./clock.ts";
import { fillDemo } from "./fill.ts";
import { createSkipped } from "./skipped.ts";
import { planDemo, type DemoPlan } from "./plan.ts";

let db: Database;
let on: TestFeatures;
const folder = mkdtempSync(join(tmpdir(), "postcard-town-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

/** A town with few posts, because painting takes most of the time. */
function small(size: number): DemoPlan {
  const plan = planDemo("town", size);
  const posts = plan.people.flatMap(({ index }) =>
    plan.posts.filter(({ author }) => author === index).slice(0, 2),
  );
  return { ...plan, posts: posts.toSorted((a, b) => a.time - b.time) };
}

/** Fills it, and returns what was skipped. */
async function fill(size: number): Promise<string | null> {
  const skipped = createSkipped();
  const jpeg = await sharp({
    create: { width: 320, height: 240, channels: 3, background: "#88aacc" },
  })
    .jpeg()
    .toBuffer();
  await fillDemo(small(size), {
    features: on,
    clock: createClock(),
    secretFor: (purpose) => `a secret for ${purpose}`,
    painter: { paint: async () => jpeg, close: () => {} },
    progress: { begin: () => () => {} },
    folder,
    skipped,
  });
  return skipped.inWords();
}

const tables = ["accounts", "follows", "posts", "likes", "comments", "bookmarks", "messages"];

async function rows(): Promise<Record<string, number>> {
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  const [row] = await query<Record<string, number>>(db, `select ${counts.join()}`, []);
  return row ?? {};
}

test("a town grows although accounts blocked each other, can't be found by email or are deleted", async () => {
  expect(await fill(5)).toBeNull();
  const before = await rows();
  const people = await Promise.all(
    small(5).people.map(({ email }) => on.administration.find(email)),
  );
  const [founder, friend, hidden] = people.map((account) => ({
    ...account,
    sessionId: "",
    avatar: null,
    firstName: "",
    secondName: "",
  }));
  if (!founder || !friend || !hidden) throw new Error("no town");

  await on.blocks.block(founder, friend.id);
  await on.settings.change(hidden, { findableByEmail: false });
  const blocked = await rows();
  expect(await fill(5)).toMatch(/^2 follows, \d+ reactions?, \d+ messages$/);
  expect(await rows(), "nothing came back or was made twice").toEqual(blocked);

  await on.suspend(founder);
  expect(await fill(6)).toMatch(/^1 person, \d+ follows, 2 posts, \d+ reactions?, \d+ messages$/);
  const larger = await rows();
  expect(larger["accounts"]).toBe((before["accounts"] ?? 0) + 1);
  expect(larger["posts"]).toBe((before["posts"] ?? 0) + 2);

  await query(db, "update accounts set suspended_at = null", []);
  await on.blocks.unblock(founder, friend.id);
  expect(await fill(6), "what stood between them is gone").toBeNull();
});
