import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { emptyDatabase, urlOf } from "#server/test/database.ts";
import { projectRoot, temporaryFolder, type Running } from "#server/test/processes.ts";
import { addressOf, postmasterOf, signUp, startServer } from "#server/test/running-server.ts";
import { until } from "#server/test/until.ts";

/**
 * The time without a sign of life after which a process is replaced: twenty seconds, shortened for this test
 * (faults/hooks/short-patience.ts), milliseconds.
 */
const silenceMs = 5000;
const minutes = 60_000;
const hooks = ["endless-loop", "short-patience"]
  .map((name) => `--import ${join(projectRoot, "faults", "hooks", name)}.ts`)
  .join(" ");
const supervisor = [process.execPath, "scripts/start.mjs"];
const environment = { NODE_OPTIONS: hooks };

/** The processes that have listened so far, in the order of their start. */
function listeners(server: Running): number[] {
  const lines = server.said().matchAll(/"pid":(\d+),[^\n]*Server listening/g);
  return [...new Set([...lines].map(([, pid]) => Number(pid)))];
}

function childOf(parent: number): number {
  const list = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const pairs = list.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.find(([, its]) => its === parent)?.[0] ?? 0;
}

function post(address: string, cookie: string, caption: string): Promise<Response> {
  const headers = { cookie, origin: address, "content-type": "application/json" };
  const body = JSON.stringify({ caption, pictures: [] });
  return fetch(`${address}/api/posts`, { method: "POST", headers, body });
}

async function firstPost(address: string, cookie: string): Promise<string> {
  return (await fetch(`${address}/api/posts/ada_lovelace/1`, { headers: { cookie } })).text();
}

/** Keeps the server as busy as one client can, with short requests. */
async function keepBusy(address: string, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let answered = 0;
  const work = Array.from({ length: 24 }, async () => {
    while (performance.now() < end) {
      const answer = await fetch(`${address}/signIn`);
      await answer.arrayBuffer();
      answered += 1;
    }
  });
  await Promise.all(work);
  return answered;
}

test(
  "a server that hangs is replaced and logs what it was doing; a busy and a suspended one are not",
  { timeout: 5 * minutes },
  async () => {
    const dataDir = join(temporaryFolder(), "data");
    const settings = { ...environment, PORT: "0" };
    const run = startServer(dataDir, settings, supervisor);
    const address = await addressOf(run);
    const cookie = await signUp(address, "ada@example.org");
    expect((await post(address, cookie, "before it hung")).status).toBe(201);
    const postgres = postmasterOf(dataDir);

    expect(await keepBusy(address, 2.5 * silenceMs)).toBeGreaterThan(100);
    process.kill(-(run.child.pid ?? 0), "SIGSTOP");
    await sleep(2 * silenceMs);
    process.kill(-(run.child.pid ?? 0), "SIGCONT");
    await sleep(silenceMs / 2);
    expect((await fetch(`${address}/health/ready`)).status).toBe(200);
    expect(run.complained()).toBe("");
    expect(listeners(run)).toHaveLength(1);

    const unanswered = post(address, cookie, "round and round").catch((error: Error) => error);
    await run.until(/Postcard is ready[^]*Postcard is ready/);
    expect(await unanswered).toBeInstanceOf(Error);
    expect(run.complained()).toEqual(
      expect.stringMatching(
        /^The server has said nothing for 5 s\. It is replaced\. What was under way: [^\n]*POST \/api\/posts[^\n]*\.\nThe server was killed \(SIGKILL\)\. It is started again at once\.\n$/,
      ),
    );
    expect(run.complained()).not.toMatch(/ada|round/);
    expect(run.said()).toContain("Took over the PostgreSQL");
    expect(postmasterOf(dataDir)).toBe(postgres);
    const again = [...run.said().matchAll(/ready at (\S+)/g)].at(-1)?.[1] ?? "";
    expect(await firstPost(again, cookie)).toContain("before it hung");

    process.kill(listeners(run).at(-1) ?? 0, "SIGSTOP");
    await run.until(/(?:Postcard is ready[^]*){3}/);
    expect(run.complained().match(/It is replaced\./g)).toHaveLength(2);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(0);
    expect(postmasterOf(dataDir)).toBeNull();
  },
);

test(
  "of several processes only the one that hangs is replaced; if the primary hangs, all are",
  { timeout: 3 * minutes },
  async () => {
    const dataDir = join(temporaryFolder(), "data");
    const server = startServer(dataDir, { ...environment, PROCESSES: "2" }, supervisor);
    const address = await addressOf(server);
    await until(() => listeners(server).length === 2);
    const cookie = await signUp(address, "ada@example.org");
    expect((await post(address, cookie, "before it hung")).status).toBe(201);
    const unanswered = post(address, cookie, "round and round").catch((error: Error) => error);
    await server.until(/(?:Server listening[^]*){3}/);
    expect(await unanswered).toBeInstanceOf(Error);
    const [line = ""] = /[^\n]*says nothing any more[^\n]*/.exec(server.said()) ?? [];
    const { seconds, underWay } = JSON.parse(line) as { seconds: number; underWay: string[] };
    expect(seconds).toBe(5);
    expect(underWay).toContain("POST /api/posts");
    expect(line).not.toMatch(/ada|round/);
    expect(server.said().match(/says nothing/g)).toHaveLength(1);

    // It listens a moment before it is ready, and is watched from then on.
    await sleep(2000);
    // a stopped process is replaced as well, and the other one answers all the time
    process.kill(listeners(server).at(-1) ?? 0, "SIGSTOP");
    await server.until(/(?:says nothing any more[^]*){2}/);
    expect(await firstPost(address, cookie)).toContain("before it hung");
    await server.until(/(?:Server listening[^]*){4}/);
    expect(server.complained()).toBe("");

    process.kill(childOf(server.child.pid ?? 0), "SIGSTOP");
    await server.until(/Postcard is ready[^]*Postcard is ready/);
    expect(server.complained()).toContain("The server has said nothing for 5 s. It is replaced.\n");
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  },
);

test("a slow start is not a hang", { timeout: 3 * minutes }, async () => {
  const dataDir = join(temporaryFolder(), "data");
  const connection = await emptyDatabase();
  const other = new pg.Client(connection);
  await other.connect();
  // the lock another server holds while it migrates the database (server/platform/db/migrate.ts)
  await other.query("SELECT pg_advisory_lock(7071305201)");
  const run = startServer(dataDir, { ...environment, DATABASE_URL: urlOf(connection) }, supervisor);
  await until(async () => {
    const waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    return (await other.query(waiting)).rowCount === 1;
  });
  await sleep(2 * silenceMs);
  await other.end();
  await addressOf(run);
  expect(run.complained()).toBe("");
  run.child.kill("SIGTERM");
  expect(await run.ended).toBe(0);
});
