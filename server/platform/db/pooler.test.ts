import { beforeAll, describe, expect, test } from "vitest";
import pg, { type PoolConfig } from "pg";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { createHints } from "#server/platform/db/hints.ts";
import { hintWords } from "#server/features/change-hint.ts";
import { examineAddresses, findPooler } from "#server/platform/db/pooler.ts";
import { afterFile } from "#server/test/after-file.ts";
import { freshDatabase, urlOf } from "#server/test/database.ts";
import { boundRole, pgbouncer, startPgbouncer } from "#server/test/pgbouncer.ts";
import { query } from "#server/test/query.ts";
import { until } from "#server/test/until.ts";

let connection: PoolConfig;

beforeAll(async () => {
  ({ connection } = await freshDatabase());
});

async function through(settings: Record<string, string> = {}): Promise<PoolConfig> {
  const started = await startPgbouncer(connection, settings);
  afterFile(started.stop);
  return started.connection;
}

/** The sentence with which a start with these addresses fails. */
async function refusal(to: PoolConfig, direct: PoolConfig | null): Promise<string> {
  const addresses = examineAddresses(to, direct && urlOf(direct));
  return addresses.then(
    () => "none",
    (error: Error) => error.message,
  );
}

/** A statement that each client prepares once. */
const named = (on: Database, value: number) =>
  on.pool.query<{ answer: number }>({
    name: "doubled",
    text: "select $1::integer * 2 as answer",
    values: [value],
  });

describe("without a pooler", () => {
  test("one address serves everything", async () => {
    expect(await examineAddresses(connection, null)).toEqual({
      connection,
      direct: connection,
      pooler: null,
    });
  });

  test("a direct address of another database is refused", async () => {
    const other = await freshDatabase();
    expect(await refusal(connection, other.connection)).toBe(
      "DATABASE_DIRECT_URL leads to another database than DATABASE_URL.",
    );
  });

  test("a direct address where nobody answers is named", async () => {
    const nobody = { ...connection, host: "127.0.0.1", port: 1 };
    expect(await refusal(connection, nobody)).toMatch(
      /^DATABASE_DIRECT_URL cannot be reached: .*ECONNREFUSED.*\.$/,
    );
  });
});

describe.skipIf(!pgbouncer)("behind PgBouncer", () => {
  test("in session mode nothing is different", async () => {
    const pooled = await through({ pool_mode: "session" });
    expect(await findPooler(pooled)).toBeNull();
    expect(await refusal(pooled, null)).toBe("none");
  });

  test.each(["0", "1"])(
    "transaction mode is detected, whichever connection it lends (round robin: %s)",
    async (roundRobin) => {
      const settings = { server_round_robin: roundRobin, min_pool_size: "4" };
      const pooled = await through(settings);
      expect(await findPooler(pooled)).toEqual({ prepares: pgbouncer?.prepares });
      // a single connection for all clients
      const narrow = await through({ ...settings, default_pool_size: "1", min_pool_size: "0" });
      expect(await findPooler(narrow)).toEqual({ prepares: pgbouncer?.prepares });
      // and one that is busy with other clients
      const others = new pg.Pool({ ...pooled, max: 6 });
      const state = { busy: true };
      const work = Array.from({ length: 6 }, async () => {
        while (state.busy) await others.query("select pg_sleep(0.002)");
      });
      const found = await Promise.all(Array.from({ length: 20 }, () => findPooler(pooled)));
      state.busy = false;
      await Promise.all(work);
      await others.end();
      expect(new Set(found.map((pooler) => pooler?.prepares))).toEqual(
        new Set([pgbouncer?.prepares]),
      );
    },
  );

  test("a start where something is missing fails with a sentence", async () => {
    const unbound = await freshDatabase();
    const { host, port } = await through();
    const pooled = { ...unbound.connection, host, port } as PoolConfig;
    expect(await refusal(pooled, null)).toMatch(/^DATABASE_URL leads to a pooler .* must be set/);
    expect(await refusal(unbound.connection, pooled)).toBe(
      "DATABASE_DIRECT_URL leads to a pooler in transaction mode, but must not.",
    );
    const sentence = await refusal(pooled, unbound.connection);
    expect(sentence).toContain("PostgreSQL must bound statements by itself");
    // the statements it tells the operator to run are the ones it needs
    const [, statements = ""] = /"(.*)"/.exec(sentence) ?? [];
    for (const statement of statements.match(/[^;]+/g) ?? []) await query(unbound.db, statement);
    const fresh = await through();
    expect(await refusal({ ...pooled, host: fresh.host } as PoolConfig, unbound.connection)).toBe(
      "none",
    );
    const byStatement = await through({ pool_mode: "statement" });
    const refused = { ...unbound.connection, host: byStatement.host, port } as PoolConfig;
    expect(await refusal(refused, unbound.connection)).toMatch(
      /^DATABASE_URL cannot be used: .*statement pooling mode/i,
    );
  });

  test("statements by name, transactions, hints and patience work, and nothing is left in a session", async () => {
    await boundRole(connection);
    const pooled = await through({ default_pool_size: "3" });
    const log = { warn: () => {}, error: console.error };
    const addresses = await examineAddresses(pooled, urlOf(connection));
    const [one, other] = [0, 1].map(() => {
      const opened = createDatabase({ ...addresses, log });
      afterFile(() => opened.close());
      return opened;
    }) as [Database, Database];

    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, value) => {
        const on = value % 2 ? one : other;
        const { rows } =
          value % 3 ? await named(on, value) : await on.transaction(() => named(on, value));
        return rows[0]?.answer;
      }),
    );
    expect(answers).toEqual(Array.from({ length: 60 }, (_, value) => value * 2));

    const [heard, hints] = [
      new Set<string>(),
      [one, other].map((on) => createHints({ db: on, log, words: hintWords })),
    ];
    const [speaking, listening] = hints;
    listening?.listen((batch) => batch.forEach(({ kind }) => heard.add(kind)));
    await until(() => {
      speaking?.publish({ kind: "post", authorId: "a", postId: "b" });
      return heard.has("post");
    });
    await Promise.all(hints.map((hint) => hint.close()));

    const timeouts = await query(one, "show statement_timeout");
    expect(timeouts).toEqual([{ statement_timeout: "1min" }]);
    expect(await one.patiently(() => query(one, "show statement_timeout"))).toEqual([
      { statement_timeout: "5min" },
    ]);
    expect(await query(one, "show statement_timeout")).toEqual([{ statement_timeout: "1min" }]);
  });
});
