import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everything } from "#server/test/everything.ts";
import { testFeatures, testSecrets, type TestFeatures } from "#server/test/factories.ts";
import { history, live, nothingReached, shareOf } from "#server/test/audiences/model.ts";

/*
 * Five people post, follow, ask, block, go private, narrow, like, leave, in whatever order. Whatever
 * happened, every place where a post can show shows each of them, and a visitor, what the rule in
 * server/test/audiences/oracle.ts says.
 */
/** The same histories on every machine; another number tries others. */
const seed = 109;
const runs = everything ? { numRuns: 150, seed } : { numRuns: 5, seed };

let servers: [TestFeatures, TestFeatures];

beforeAll(async () => {
  const { db } = await freshDatabase();
  const secrets = testSecrets();
  const one = testFeatures(db, { secrets });
  servers = [one, testFeatures(db, { secrets, folder: one.folder })];
});

test(
  "whatever happened, everybody sees what they may, everywhere",
  { timeout: 1_200_000 },
  async () => {
    const reached = nothingReached();
    await fc.assert(
      fc.asyncProperty(history, (drawn) => live(servers, drawn, { drawn: 20, reached })),
      // a shorter history that fails is worth a few attempts, not hours
      { ...runs, endOnFailure: true },
    );
    expect(await reconcileCounters(servers[0].db)).toEqual([]);
    const share = shareOf(reached);
    if (everything) {
      const { histories, comparisons } = reached;
      console.info(
        `${histories} histories of seed ${seed}, ${comparisons} comparisons, ` +
          `${(share * 100).toFixed(1)}% of place, audience and relation`,
      );
    }
    expect(share).toBeGreaterThan(everything ? 0.95 : 0.4);
  },
);
