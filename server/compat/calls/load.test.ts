import { beforeAll, describe, expect, test } from "vitest";
import type { PoolConfig } from "pg";
import { pino } from "pino";
import { patientBounds } from "#server/platform/db/time-limits.ts";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { lockCaller } from "#server/compat/documents/post-lookups.queries.ts";
import { afterFile } from "#server/test/after-file.ts";
import { testApp } from "#server/test/app.ts";
import { insertAccounts, insertTextPosts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let connection: PoolConfig;
let ada: Viewer;
let bob: Viewer;

beforeAll(async () => {
  ({ db, connection } = await freshDatabase());
  [ada, bob] = (await insertAccounts(db, 2)) as [Viewer, Viewer];
});

describe("many changes of one member at once", () => {
  test("hold one connection together, so that others are served, and are bounded", async () => {
    const bounds = { ...patientBounds, connections: 2 };
    const small = createDatabase({ connection, log: pino({ level: "silent" }), bounds });
    afterFile(() => small.close());
    const { call } = await testApp(small);
    const payload = { followers: 0, followerAccounts: [] };
    const change = () => call(ada, "PUT", `/api/users/${bob.username}`, { payload });
    expect((await change()).statusCode).toBe(200);
    expect((await call(bob, "GET", "/api/feed")).statusCode).toBe(200);

    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = db.transaction(async () => {
      await lockCaller(db, ada.id);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const changes = Promise.all(Array.from({ length: 60 }, change));
    for (let reads = 0; reads < 5; reads += 1) {
      expect((await call(bob, "GET", "/api/feed")).statusCode).toBe(200);
    }
    held.resolve();
    await holding;
    const statuses = (await changes).map(({ statusCode }) => statusCode);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    // one at work, thirty behind it
    expect(statuses.filter((status) => status === 200)).toHaveLength(31);
  });
});

describe("a whole account", () => {
  test("counts by its size for the one who loads it, and for nobody else", async () => {
    await insertTextPosts(db, [ada], 1000);
    await query(db, "update posts set caption = repeat('x', 2000)");
    const { call } = await testApp(db, { rateLimits: true });
    const load = (remoteAddress: string) =>
      call(null, "GET", `/api/users/${ada.username}`, { remoteAddress });
    const first = await load("192.0.2.1");
    expect(first.statusCode).toBe(200);
    expect(first.json()).toMatchObject({ postsCount: 1000 });
    const fit = Math.ceil((1200 * 20_000) / first.rawPayload.length);
    let loaded = 1;
    let last = first;
    while (last.statusCode === 200 && loaded <= fit) {
      last = await load("192.0.2.1");
      loaded += 1;
    }
    expect([last.statusCode, loaded]).toEqual([429, fit + 1]);
    expect(Number(last.headers["retry-after"])).toBeGreaterThan(0);
    expect((await load("198.51.100.1")).statusCode).toBe(200);
    expect(
      (await call(null, "GET", "/api/session", { remoteAddress: "192.0.2.1" })).statusCode,
    ).toBe(200);
  });
});
