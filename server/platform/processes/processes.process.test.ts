import { existsSync, renameSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { roll as rollCommand } from "#server/platform/admin/machine.ts";
import { readConfig } from "#server/config.ts";
import { claimDataDir } from "#server/platform/data-dir.ts";
import { findRunningPostgres } from "#server/platform/db/embedded-postgres.ts";
import {
  projectRoot,
  startProgram,
  temporaryFolder,
  type Running,
} from "#server/test/processes.ts";
import { addressOf, postmasterOf, signUp, startServer } from "#server/test/running-server.ts";
import { until } from "#server/test/until.ts";

const two = { PROCESSES: "2" };
const minutes = 60_000;

type Answer = { status: number; headers: Record<string, unknown>; body: string };
type Asked = { method?: string; headers?: Record<string, string>; body?: string };

/**
 * A client with one connection, which stays open as long as the server allows, and so stays with one
 * process.
 */
function connection(address: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string, { method = "GET", headers = {}, body }: Asked = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const outgoing = request(address + path, { agent, method, headers }, (answer) => {
        let text = "";
        answer.on("data", (piece) => (text += String(piece)));
        answer.on("error", reject);
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
        );
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  /** Opens a stream of events on it, which occupies it from then on; `heard` grows. */
  const listen = (cookie: string) => {
    const stream = { heard: "", ended: false };
    const outgoing = request(`${address}/api/events`, { agent, headers: { cookie } }, (answer) => {
      answer.on("data", (piece) => (stream.heard += String(piece)));
      answer.on("close", () => (stream.ended = true));
    });
    outgoing.on("error", () => (stream.ended = true));
    outgoing.end();
    return stream;
  };
  return { ask, listen, close: () => agent.destroy() };
}

type Connection = ReturnType<typeof connection>;

/** Which process serves this connection, from its log line of a request. */
async function processOf(server: Running, { ask }: Connection): Promise<number> {
  const { headers } = await ask("/signIn");
  const id = String(headers["x-request-id"]);
  const [, pid] = await server.until(new RegExp(`"pid":(\\d+),[^\\n]*${id}`));
  return Number(pid);
}

/** A connection to each of two processes. */
async function oneToEach(server: Running, address: string): Promise<[Connection, Connection]> {
  const found = new Map<number, Connection>();
  for (let tries = 0; found.size < 2 && tries < 20; tries += 1) {
    const one = connection(address);
    found.set(await processOf(server, one), one);
  }
  const [one, other] = found.values();
  if (!one || !other) throw new Error("Only one process answers.");
  return [one, other];
}

/** The processes that have listened so far, in order. */
function listeners(server: Running): number[] {
  const lines = server.said().matchAll(/"pid":(\d+),[^\n]*Server listening/g);
  return [...new Set([...lines].map(([, pid]) => Number(pid)))];
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function isRefused({ ask }: Connection): Promise<boolean> {
  return (await ask("/health/live")).status === 429;
}

async function roll(dataDir: string): Promise<{ code: number | null; text: string }> {
  const words = [process.execPath, join(projectRoot, "server/admin.ts"), "roll"];
  const command = startProgram(words, { env: { DATA_DIR: dataDir } });
  return { code: await command.ended, text: command.said() };
}

/** Sends requests again and again over open connections until it is stopped; every outcome is recorded. */
function steadyLoad(address: string, cookie: string) {
  const state = { stopped: false };
  const outcomes: (number | string)[] = [];
  const work = Array.from({ length: 4 }, async (_, which) => {
    const { ask, close } = connection(address);
    const post = {
      method: "POST",
      headers: { cookie, origin: address, "content-type": "application/json" },
      body: JSON.stringify({ caption: "steady", pictures: [] }),
    };
    for (let times = 0; !state.stopped; times += 1) {
      const path = which % 2 ? "/api/posts" : "/signIn";
      outcomes.push(
        await ask(path, which % 2 ? post : {}).then(
          ({ status }) => status,
          (error: Error) => error.message,
        ),
      );
      // a steady load, but not a flood that the successors would have to start under
      await sleep(10);
    }
    close();
  });
  return async () => {
    state.stopped = true;
    await Promise.all(work);
    return outcomes;
  };
}

test(
  "several processes are one server: a dead one is replaced, and a rolling restart refuses nobody",
  { timeout: 5 * minutes },
  async () => {
    // longer than a socket's address may be
    const dataDir = join(temporaryFolder(), "a-long-name-".repeat(9));
    const server = startServer(dataDir, two);
    const address = await addressOf(server);
    const [one, other] = await oneToEach(server, address);
    const first = listeners(server);
    expect(first).toHaveLength(2);

    const second = startServer(dataDir, two);
    expect(await second.ended).toBe(1);
    expect(second.complained()).toBe(
      `DATA_DIR is ${dataDir}, but another Postcard is using that folder already.\n`,
    );

    // what happens at one process is sent to members connected to the other
    const cookie = await signUp(address, "ada@example.org");
    const stream = one.listen(cookie);
    await until(() => stream.heard.includes("hello"));
    const headers = { cookie, origin: address, "content-type": "application/json" };
    const body = JSON.stringify({ caption: "at the other", pictures: [] });
    const posted = await other.ask("/api/posts", { method: "POST", headers, body });
    expect(posted.status).toBe(201);
    const { id, author } = JSON.parse(posted.body) as { id: string; author: { id: string } };
    const [, streamId] = /"stream":"([^"]+)"/.exec(stream.heard) ?? [];
    const watched = JSON.stringify({ stream: streamId, posts: [`${author.id}.${id}`] });
    const put = { method: "PUT", headers, body: watched };
    expect((await other.ask("/api/events/watched", put)).status).toBe(204);
    await other.ask(`/api/posts/ada_lovelace/1/like`, { method: "PUT", headers });
    await until(() => /event: post\n[^\n]*"likeCount":1/.test(stream.heard));

    // one of them dies
    const [victim = 0, survivor = 0] = first;
    process.kill(victim, "SIGKILL");
    await server.until(/started again; the others go on/);
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => (await fetch(`${address}/health/ready`)).status),
    );
    expect(answers).toEqual([200, 200, 200, 200, 200]);
    await server.until(/(?:Server listening[^]*){3}/);
    const [, , successor = 0] = listeners(server);

    // one rolling restart, and one that cannot finish
    const again = connection(address);
    const streams = [again.listen(cookie)];
    await until(() => streams.every(({ heard }) => heard.includes("hello")));
    const endLoad = steadyLoad(address, cookie);
    const rolled = await roll(dataDir);
    expect(rolled).toEqual({
      code: 0,
      text: "All processes were replaced, one after another.\n",
    });
    expect([survivor, successor].filter(isAlive)).toEqual([]);
    const secrets = join(dataDir, "secrets.json");
    const present = listeners(server).slice(3);
    renameSync(secrets, `${secrets}.away`);
    const failed = await roll(dataDir);
    renameSync(`${secrets}.away`, secrets);
    expect(failed.code).toBe(1);
    expect(failed.text).toContain(
      "Not finished; the processes that were not replaced go on. " + secrets,
    );
    const outcomes = await endLoad();
    expect(outcomes.filter((outcome) => outcome !== 200 && outcome !== 201)).toEqual([]);
    expect(new Set(outcomes)).toEqual(new Set([200, 201]));
    expect(streams.every(({ ended }) => ended)).toBe(true);
    expect(present.filter(isAlive)).toEqual(present);

    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(server.said().match(/Postcard is ready/g)).toHaveLength(1);
    expect(server.complained()).toBe("");
    expect(present.filter(isAlive)).toEqual([]);
    expect(postmasterOf(dataDir)).toBeNull();
    expect(existsSync(join(dataDir, "roll.sock"))).toBe(false);
  },
);

test(
  "when the first of them is killed the others end, and the next start takes PostgreSQL over",
  { timeout: 3 * minutes },
  async () => {
    const dataDir = join(temporaryFolder(), "data");
    const server = startServer(dataDir, two);
    await addressOf(server);
    server.child.kill("SIGKILL");
    // It has ended for us once nothing holds its output open any more: the workers have ended, too.
    await server.ended;
    const next = startServer(dataDir, { ...two, RATE_LIMITS: "on" });
    const address = await addressOf(next);
    expect(next.said()).toContain("Took over the PostgreSQL");

    // a limit holds for both processes together
    const [one, other] = await oneToEach(next, address);
    for (let times = 0; times < 700; times += 1) {
      await Promise.all([one, other].map(({ ask }) => ask("/health/live")));
    }
    await until(() => isRefused(one));
    await until(() => isRefused(other));

    // a terminal's Ctrl-C is sent to all of them
    process.kill(-(next.child.pid ?? 0), "SIGINT");
    expect(await next.ended).toBe(0);
    expect(next.said()).not.toContain("started again");
    expect(postmasterOf(dataDir)).toBeNull();
  },
);

test(
  "a start in which all of them fail ends with one sentence",
  { timeout: 2 * minutes },
  async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => {
      taken.once("listening", resolve);
    });
    const { port } = taken.address() as { port: number };
    const dataDir = join(temporaryFolder(), "data");
    const server = startServer(dataDir, { ...two, PORT: String(port), LOG_LEVEL: "fatal" });
    expect(await server.ended).toBe(1);
    expect(server.said()).toBe(`PORT is ${port}, but something else uses it already.\n`);
    expect(postmasterOf(dataDir)).toBeNull();
    taken.close();
  },
);

test(
  "after the first of them was replaced, problems reported to operators are still checked",
  { timeout: 3 * minutes },
  async () => {
    const dataDir = join(temporaryFolder(), "data");
    const server = startServer(dataDir, two);
    await addressOf(server);
    const [first = 0] = listeners(server);
    process.kill(first, "SIGKILL");
    await server.until(/started again; the others go on/);
    const database = new pg.Client(findRunningPostgres(dataDir) ?? {});
    await database.connect();
    // It has not been seen for hours: the next check closes it.
    await database.query(
      `insert into troubles (id, kind, place, said, seen_at)
       values (gen_random_uuid(), 'disk', 'gone:/data', 'Full.', now() - interval '3 hours')`,
    );
    const open = "select from troubles where ended_at is null";
    await until(async () => (await database.query(open)).rowCount === 0);
    await database.end();
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  },
);

test("where no rolling restart is possible, the command says what to do instead", async () => {
  const dataDir = join(temporaryFolder(), "data");
  const config = readConfig({ DATA_DIR: dataDir });
  await expect(rollCommand(config)).rejects.toThrow("No Postcard runs on");
  const claim = claimDataDir(dataDir);
  await expect(rollCommand(config)).rejects.toThrow(
    "restart it, or set PROCESSES to 2 or more and restart it once",
  );
  claim.release();
});
