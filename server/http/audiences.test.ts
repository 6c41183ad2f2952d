import fc from "fast-check";
import { expect, test } from "vitest";
import { builtScreens, testApp } from "#server/test/app.ts";
import { take } from "#server/test/audiences/acts.ts";
import { history } from "#server/test/audiences/model.ts";
import { asksOf, lookEverywhere, placesOf } from "#server/test/audiences/over-http.ts";
import { newWorld } from "#server/test/audiences/world.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everything } from "#server/test/everything.ts";

/*
 * The same histories as in server/features/audiences.test.ts, looked at from outside: no page, call or app
 * gets words, photos or comments of a post from any address, unless its viewer may see the post.
 */
const seed = 109;
const runs = everything ? { numRuns: 12, seed } : { numRuns: 1, seed };

const screens = await builtScreens();
const { db } = await freshDatabase();
const app = await testApp(db, {}, { screens });

test("no address shows a post to whom it is not for", { timeout: 600_000 }, async () => {
  const kinds = new Set<string>();
  const showed = new Set<string>();
  await fc.assert(
    fc.asyncProperty(history, async ({ beginning, further }) => {
      const world = await newWorld(app.features, { files: true });
      for (const step of [...beginning, ...further]) await take(world, step);
      const seen = await lookEverywhere(world, asksOf(app));
      expect(seen.wrong).toEqual([]);
      for (const { kind } of placesOf(world)) kinds.add(kind);
      for (const kind of seen.showed) showed.add(kind);
    }),
    { ...runs, endOnFailure: true },
  );
  // Of a place that shows nothing nothing is known; these two are about one's own photos and edits.
  const own = new Set(["alt suggestions", "earlier versions"]);
  const silent = [...kinds].filter((kind) => !showed.has(kind) && !own.has(kind));
  if (everything) expect(silent).toEqual([]);
  else expect(silent.length).toBeLessThan(8);
});
