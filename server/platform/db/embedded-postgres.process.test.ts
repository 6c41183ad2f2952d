import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { chmodSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { processesIn, readPidFile, signal } from "#server/platform/db/postgres-processes.ts";
import {
  ordinaryUser,
  startProgram,
  temporaryFolder,
  type Running,
} from "#server/test/processes.ts";

const holderFile = "server/test/postgres-holder.ts";
const folders = new Set<string>();

// Killing the process that owns it leaves PostgreSQL running on purpose.
afterEach(() => {
  for (const folder of folders) {
    const pid = readPidFile(folder)?.pid;
    if (pid && processesIn(folder).includes(pid)) signal(pid, "SIGQUIT");
  }
});

function hold(
  dataDir: string,
  {
    archives = false,
    ...options
  }: { uid?: number; env?: NodeJS.ProcessEnv; archives?: boolean } = {},
): Running {
  folders.add(clusterOf(dataDir));
  const words = [process.execPath, holderFile, dataDir, ...(archives ? ["archives"] : [])];
  return startProgram(words, options);
}

function clusterOf(dataDir: string): string {
  const cluster = join(dataDir, "postgres", "data");
  return existsSync(cluster) ? realpathSync(cluster) : cluster;
}

async function ready(holder: Running): Promise<string> {
  const [, host = ""] = await holder.until(/Postcard is ready at (.+)\n/);
  return host;
}

async function ask(host: string, query: string): Promise<Record<string, unknown>[]> {
  const database = { user: "postcard", database: "postcard" };
  const client = new pg.Client({ host, ...database });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(query)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

async function end(holder: Running): Promise<void> {
  holder.child.kill("SIGTERM");
  expect(await holder.ended).toBe(0);
}

async function kill(holder: Running): Promise<void> {
  holder.child.kill("SIGKILL");
  await holder.ended;
}

describe("the embedded PostgreSQL", () => {
  test("is made at the first start, durable and private, and stops with its owner", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const holder = hold(dataDir);
    const host = await ready(holder);
    const settings = await ask(
      host,
      `SELECT current_setting('fsync') AS fsync,
              current_setting('synchronous_commit') AS commit,
              current_setting('full_page_writes') AS pages,
              current_setting('data_checksums') AS checksums,
              current_setting('listen_addresses') AS network,
              current_setting('server_encoding') AS encoding,
              lower('ÄÖÜ') AS lower`,
    );
    expect(settings).toEqual([
      {
        fsync: "on",
        commit: "on",
        pages: "on",
        checksums: "on",
        network: "",
        encoding: "UTF8",
        lower: "äöü",
      },
    ]);
    expect(statSync(host).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, "postgres")).mode & 0o777).toBe(0o700);
    await end(holder);
    expect(processesIn(clusterOf(dataDir))).toEqual([]);
  });

  test("is taken over when its owner was killed, with everything in it", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const first = hold(dataDir);
    const host = await ready(first);
    await ask(host, "CREATE TABLE kept AS SELECT 42 AS answer");
    const pid = readPidFile(clusterOf(dataDir))?.pid;
    await kill(first);
    const second = hold(dataDir);
    expect(await ask(await ready(second), "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
    expect(second.said()).toContain("Took over");
    expect(readPidFile(clusterOf(dataDir))?.pid).toBe(pid);
    await end(second);
    expect(processesIn(clusterOf(dataDir))).toEqual([]);
  });

  test("is not taken over by one that archives its log, but started anew, with everything in it", async () => {
    const dataDir = join(temporaryFolder(), "it's 100 % data");
    const first = hold(dataDir);
    await ask(await ready(first), "CREATE TABLE kept AS SELECT 42 AS answer");
    await kill(first);
    const second = hold(dataDir, { archives: true });
    const host = await ready(second);
    expect(await ask(host, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
    const [row] = await ask(host, "SELECT pg_walfile_name(pg_switch_wal() - 1) AS name");
    await ask(host, "CREATE TABLE later AS SELECT 42 AS answer");
    await end(second);
    // Also what it wrote while it stopped.
    const archived = readdirSync(join(dataDir, "postgres", "wal-spool"));
    expect(archived).toContain(row?.["name"]);
    expect(archived.length).toBeGreaterThan(1);
    expect(archived.filter((name) => !/^[0-9A-F]{24}$/.test(name))).toEqual([]);
  });

  test("is started again when it is killed under its owner", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const holder = hold(dataDir);
    const host = await ready(holder);
    await ask(host, "CREATE TABLE kept AS SELECT 42 AS answer");
    process.kill(readPidFile(clusterOf(dataDir))?.pid as number, "SIGKILL");
    await holder.until(/PostgreSQL runs again/);
    expect(await ask(host, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
    await end(holder);
  });

  test("starts after both were killed, even if its process id belongs to another process now", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const first = hold(dataDir);
    await ready(first);
    const cluster = clusterOf(dataDir);
    const pid = readPidFile(cluster)?.pid as number;
    await kill(first);
    process.kill(pid, "SIGKILL");
    while (processesIn(cluster).length > 0) await sleep(20);
    const file = join(cluster, "postmaster.pid");
    writeFileSync(file, readFileSync(file, "utf8").replace(String(pid), String(process.pid)));
    const second = hold(dataDir);
    await ready(second);
    await end(second);
  });

  test("leaves the first owner alone when a second one starts", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const first = hold(dataDir);
    const host = await ready(first);
    const second = hold(dataDir);
    expect(await second.ended).toBe(1);
    expect(second.said()).toBe(
      `DATA_DIR is ${dataDir}, but another Postcard is using that folder already.\n`,
    );
    expect(await ask(host, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await end(first);
  });

  test("removes what an interrupted first start left", async () => {
    const dataDir = join(temporaryFolder(), "data");
    mkdirSync(join(dataDir, "postgres", "draft-1-C"), { recursive: true });
    writeFileSync(join(dataDir, "postgres", "draft-1-C", "PG_VERSION"), "18\n");
    const holder = hold(dataDir);
    await ready(holder);
    expect(readdirSync(join(dataDir, "postgres")).sort()).toEqual([
      "data",
      "postgres.log",
      "socket",
    ]);
    await end(holder);
  });

  test("moves its socket when the path is too long for a socket", async () => {
    const dataDir = join(temporaryFolder(), "a".repeat(60), "b".repeat(60));
    const holder = hold(dataDir);
    const host = await ready(holder);
    expect(host.startsWith(dataDir)).toBe(false);
    expect(statSync(host).mode & 0o777).toBe(0o700);
    expect(await ask(host, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await end(holder);
    expect(existsSync(host)).toBe(false);
  });

  test("reports what PostgreSQL said when it cannot start", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const first = hold(dataDir);
    await ready(first);
    await end(first);
    writeFileSync(join(clusterOf(dataDir), "postgresql.conf"), "nonsense = on\n");
    const second = hold(dataDir);
    expect(await second.ended).toBe(1);
    expect(second.said()).toMatch(/^PostgreSQL ended while starting; .*"nonsense".*\n$/);
  });

  test.each([
    [
      "17",
      /was made by PostgreSQL 17, but this Postcard brings 18: start it once with npm start, .*\n$/,
    ],
    ["19", /is PostgreSQL 19's, but this Postcard brings 18, which cannot read it: .*\n$/],
  ])("refuses data of version %s", async (version, sentence) => {
    const dataDir = join(temporaryFolder(), "data");
    const cluster = join(dataDir, "postgres", "data");
    mkdirSync(cluster, { recursive: true });
    writeFileSync(join(cluster, "PG_VERSION"), `${version}\n`);
    const holder = hold(dataDir);
    expect(await holder.ended).toBe(1);
    expect(holder.said()).toMatch(sentence);
  });
});

describe.skipIf(ordinaryUser === null)("can be started by", () => {
  const uid = ordinaryUser as number;

  test("an ordinary user", async () => {
    const dataDir = join(temporaryFolder(uid), "data");
    const holder = hold(dataDir, { uid });
    expect(await ask(await ready(holder), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(statSync(clusterOf(dataDir)).uid).toBe(uid);
    await end(holder);
  });

  test("root after an ordinary user, and that user again", async () => {
    const dataDir = join(temporaryFolder(uid), "data");
    for (const options of [{ uid }, {}, { uid }]) {
      const holder = hold(dataDir, options);
      expect(await ask(await ready(holder), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
      expect(statSync(clusterOf(dataDir)).uid).toBe(uid);
      await end(holder);
    }
  });

  test("root where user namespaces are off, in a folder closed to others", async () => {
    const folder = temporaryFolder();
    const dataDir = join(folder, "data");
    const programs = join(folder, "bin");
    mkdirSync(programs);
    writeFileSync(join(programs, "unshare"), "#!/bin/sh\nexit 1\n");
    chmodSync(join(programs, "unshare"), 0o755);
    const env = { PATH: `${programs}:${process.env["PATH"]}` };
    for (const mode of [0o711, 0o700]) {
      chmodSync(folder, mode);
      const holder = hold(dataDir, { env });
      expect(await ask(await ready(holder), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
      expect(statSync(clusterOf(dataDir)).uid).toBe(65534);
      await end(holder);
    }
    // And once user namespaces work again.
    const holder = hold(dataDir);
    await ready(holder);
    await end(holder);
  });
});
