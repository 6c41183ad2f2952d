import { cpSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { describe, expect, test } from "vitest";
import { hashTable, shapesOf, withSession } from "#server/platform/db/dump.ts";
import { startEmbeddedPostgres } from "#server/platform/db/embedded-postgres.ts";
import { storePrograms } from "#server/platform/db/stored-programs.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { findBinaries, type Binaries } from "#server/platform/db/postgres-binaries.ts";
import { processesIn } from "#server/platform/db/postgres-processes.ts";
import { upgradePostgres } from "#server/platform/db/upgrade.ts";
import { silent } from "#server/test/backups.ts";
import { fetchOlderPostgres } from "#server/test/older-postgres.ts";
import { projectRoot, startProgram, temporaryFolder } from "#server/test/processes.ts";
import { addressOf, postmasterOf, signUp, startServer } from "#server/test/running-server.ts";
import { urlOf } from "#server/test/database.ts";

const older = fetchOlderPostgres();
const binaries = older as Binaries;
const now = findBinaries();

const fail = (error: Error) => {
  throw error;
};

/** Runs something on the older PostgreSQL of a data folder, which is created if missing. */
async function onOlder<T>(dataDir: string, work: (connection: pg.ClientConfig) => Promise<T>) {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent, onLost: fail, binaries });
  try {
    return await work(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

async function run(connection: pg.ClientConfig, text: string): Promise<void> {
  await withSession(connection, (client) => client.query(text));
}

/** The contents of every table. */
function contentOf(connection: pg.ClientConfig): Promise<Record<string, string>> {
  return withSession(connection, async (client) => {
    const all: Record<string, string> = {};
    for (const shape of await shapesOf(client)) {
      const { rows, sha256 } = await hashTable(client, shape);
      all[shape.table] = `${rows} ${sha256}`;
    }
    return all;
  });
}

async function contentOfNew(dataDir: string) {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent, onLost: fail });
  try {
    return await contentOf(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

async function admin(dataDir: string, ...words: string[]) {
  const program = join(projectRoot, "server/admin.ts");
  const env = { DATA_DIR: dataDir, PORT: "0" };
  const command = startProgram([process.execPath, program, ...words], { env });
  return { code: await command.ended, said: command.said() };
}

async function end(server: ReturnType<typeof startServer>): Promise<void> {
  server.child.kill("SIGTERM");
  expect(await server.ended).toBe(0);
}

const pages = ["/profile", "/search?q=a", "/"];

const freeBytes = async () => 600_000_000;

/** A data folder of the older version with a few rows, made once and copied. */
let made: { folder: string; content: Record<string, string> } | undefined;
async function someRows() {
  made ??= await (async () => {
    const folder = join(temporaryFolder(), "data");
    const content = await onOlder(folder, async (connection) => {
      await migrate({ connection });
      await run(
        connection,
        "insert into retired_usernames select sha256(n::text::bytea) from generate_series(1, 20000) n",
      );
      return contentOf(connection);
    });
    await storePrograms(folder, binaries, silent);
    return { folder, content };
  })();
  const dataDir = join(temporaryFolder(), "data");
  cpSync(made.folder, dataDir, { recursive: true, verbatimSymlinks: true });
  return { dataDir, content: made.content };
}

const below = (dataDir: string) => readdirSync(join(dataDir, "postgres")).sort();

describe.skipIf(older === null)("data of an older major version of PostgreSQL", () => {
  test(
    "is taken over by the next start, with everybody still signed in",
    { timeout: 600_000 },
    async () => {
      const dataDir = join(temporaryFolder(), "data");
      const before = await onOlder(dataDir, async (connection) => {
        await run(connection, "create role somebody");
        const env = { DATABASE_URL: urlOf(connection), DATA_DIR: dataDir, PORT: "0" };
        const words = [process.execPath, "demo/main.ts", "--people", "2"];
        const demo = startProgram(words, { env });
        expect(await demo.ended, demo.said()).toBe(0);
        const server = startServer(dataDir, { DATABASE_URL: urlOf(connection) });
        const address = await addressOf(server);
        const cookie = await signUp(address, "ada@example.org");
        const html = await (await fetch(`${address}/`, { headers: { cookie } })).text();
        await end(server);
        const [picture = ""] = /\/images\/[^"\s,]+/.exec(html) ?? [];
        return { cookie, picture, content: await contentOf(connection) };
      });
      await storePrograms(dataDir, binaries, silent);

      // Other commands leave the upgrade to the server.
      const list = await admin(dataDir, "list");
      expect(list).toMatchObject({ code: 1, said: expect.stringContaining("npm start") });

      const server = startServer(dataDir);
      const address = await addressOf(server);
      const said = server.said();
      expect(said).toContain("PostgreSQL 17 to 18: the upgrade begins");
      expect(said).toContain("every row was compared");
      expect(said).toContain('"stays":["role somebody"]');
      const { cookie } = before;
      for (const page of pages) {
        const answer = await fetch(`${address}${page}`, { headers: { cookie } });
        expect(`${page} ${answer.status}`).toBe(`${page} 200`);
        await answer.arrayBuffer();
      }
      const found = await fetch(`${address}/search?q=lovelace`, { headers: { cookie } });
      expect(await found.text()).toContain("Ada Lovelace");
      if (before.picture) expect((await fetch(`${address}${before.picture}`)).status).toBe(200);
      // Writing works, too.
      await signUp(address, "grace@example.org");
      await end(server);
      expect(await admin(dataDir, "check-counters")).toMatchObject({ code: 0 });

      expect(below(dataDir)).toEqual(expect.arrayContaining(["data", "data-17"]));
      const kept = join(dataDir, "postgres-programs");
      expect(readdirSync(kept).sort()).toEqual([binaries.version, now.version].sort());
      expect((await admin(dataDir, "doctor")).said).toContain("before the upgrade from 17");

      // Going back would find the data as it was.
      const away = join(temporaryFolder(), "data");
      cpSync(join(dataDir, "postgres", "data-17"), join(away, "postgres", "data"), {
        recursive: true,
      });
      expect(await onOlder(away, contentOf)).toEqual(before.content);

      const told = await admin(dataDir, "old-database");
      expect(told).toMatchObject({ code: 0, said: expect.stringMatching(/PostgreSQL 17, \d/) });
      expect(existsSync(join(dataDir, "postgres", "data-17"))).toBe(true);
      expect(await admin(dataDir, "old-database", "--remove")).toMatchObject({ code: 0 });
      expect(below(dataDir)).not.toContain("data-17");
      expect(readdirSync(kept)).toEqual([now.version]);
      expect((await admin(dataDir, "list")).said).toContain("grace@example.org");
    },
  );

  test("survives being killed in each part of the upgrade", { timeout: 600_000 }, async () => {
    const { dataDir, content } = await someRows();
    for (const part of ["copying", "every row was copied", "loading", "every row was compared"]) {
      const server = startServer(dataDir);
      await server.until(new RegExp(`PostgreSQL 17 to 18: ${part}`));
      server.child.kill("SIGKILL");
      await server.ended;
    }
    const stopped = startServer(dataDir);
    await stopped.until(/loading/);
    stopped.child.kill("SIGTERM");
    await stopped.ended;
    expect(stopped.complained()).not.toMatch(/cannot|failed/);
    await upgradePostgres({ dataDir, log: silent });
    expect(below(dataDir).filter((name) => name !== "socket")).toEqual([
      "data",
      "data-17",
      "postgres.log",
    ]);
    expect(await contentOfNew(dataDir)).toEqual(content);
  });

  test("is never replaced halfway", { timeout: 600_000 }, async () => {
    const { dataDir, content } = await someRows();
    const home = join(dataDir, "postgres");
    await upgradePostgres({ dataDir, log: silent });
    // Killed after the old data was moved away and before the new data was in place.
    renameSync(join(home, "data"), join(home, "data-ready"));
    expect((await admin(dataDir, "list")).said).toContain("npm start finishes");
    await upgradePostgres({ dataDir, log: silent });
    expect(await contentOfNew(dataDir)).toEqual(content);
    // Killed before that: the old data may have been used since, so it is copied again.
    renameSync(join(home, "data"), join(home, "data-ready"));
    renameSync(join(home, "data-17"), join(home, "data"));
    const later = await onOlder(dataDir, async (connection) => {
      await run(connection, "insert into retired_usernames values (sha256('later'))");
      return contentOf(connection);
    });
    await upgradePostgres({ dataDir, log: silent });
    expect(await contentOfNew(dataDir)).toEqual(later);
    expect(below(dataDir)).not.toContain("data-ready");
  });

  test("stays as it is where something is missing, and the start says what", async () => {
    const { dataDir, content } = await someRows();
    await expect(upgradePostgres({ dataDir, log: silent, freeBytes })).rejects.toThrow(
      /is to be taken over by 18, for which \d+ MB beside the 537 MB that stay free are needed, and 600 MB are free: make room and start again; nothing was changed\.$/,
    );
    const postgres = await onOlder(dataDir, async (connection) => {
      await run(connection, "insert into schema_migrations values ('9999_later', 'x')");
      return contentOf(connection);
    });
    expect(postgres).toEqual(content);
    await expect(upgradePostgres({ dataDir, log: silent })).rejects.toThrow(
      /^The upgrade of PostgreSQL 17 to 18 was not done, and nothing was changed: The database is newer than this Postcard/,
    );
    await onOlder(dataDir, async (connection) => {
      await run(connection, "delete from schema_migrations where name = '9999_later'");
    });

    rmSync(join(dataDir, "postgres-programs"), { recursive: true });
    const server = startServer(dataDir);
    expect(await server.ended).toBe(1);
    expect(server.complained()).toMatch(
      /^The data in .* was made by PostgreSQL 17, whose programs are not kept in .*postgres-programs, and this Postcard brings 18: .*\n$/,
    );
    // Programs that an operator downloaded work as well.
    cpSync(binaries.folder, join(dataDir, "postgres-programs", binaries.version), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await upgradePostgres({ dataDir, log: silent });
    expect(await contentOfNew(dataDir)).toEqual(content);
    expect(processesIn(join(dataDir, "postgres", "data-17"))).toEqual([]);
    expect(postmasterOf(dataDir)).toBeNull();

    // Data of a newer version is refused.
    writeFileSync(join(dataDir, "postgres", "data", "PG_VERSION"), "19\n");
    const newer = startServer(dataDir);
    expect(await newer.ended).toBe(1);
    expect(newer.complained()).toMatch(/is PostgreSQL 19's, but this Postcard brings 18, which/);
  });
});
