import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chatIdOf } from "#shared/chat.ts";
import { sql } from "#server/platform/db/sql.ts";
import { startInstallation, type Installation } from "../installation.ts";
import { sendLoad, type Asked } from "../load.ts";
import { openProduct, sessionsFor, asBrowser, type Member, type Product } from "../product.ts";
import { startControl, startPostcard, type MeasuredServer } from "../servers/measured-server.ts";
import { median, type Figure } from "../table.ts";
import { befriend } from "./messages.ts";

const rounds = 7;
const feed = "the feed as JSON";
/** requests of a row before any of it counts: V8 compiles for a while */
const warmUp = 500;

/** What one kind of request is, and how many of them make a round. */
type Row = {
  what: string;
  count: number;
  atOnce: number;
  headers: Record<string, string>;
  ask: (index: number) => Asked;
};

/** Milliseconds of processor that one request takes, in one round. */
type Round = { server: number; database: number };
type Contender = [name: string, server: MeasuredServer];

/**
 * What requests of a member of the demo's town cost this folder and another one, another commit of it, by turns on one
 * database: the server's processor time and the database's apart. The other one must know the database as it is after
 * this one's migrations.
 */
export async function turns(other: string): Promise<Figure[]> {
  const installation = await startInstallation();
  try {
    await fillTown(installation);
    return await inTown(installation, other);
  } finally {
    await installation.stop();
  }
}

async function inTown(installation: Installation, other: string): Promise<Figure[]> {
  const product = openProduct(installation);
  const servers: Contender[] = [];
  const besides = secondFolder(installation.dataDir);
  try {
    const { reader, rows } = await rowsOf(product);
    const start = async (name: string, starting: Promise<MeasuredServer>) => {
      const server = await starting;
      servers.push([name, server]);
      return server;
    };
    const now = await start("now", startPostcard(installation));
    await start("before", startPostcard({ ...installation, dataDir: besides }, {}, other));
    // Members who open home have a list.
    await sendLoad({ url: now.url, headers: asBrowser(reader.cookie), rate: 1, count: 1 });
    const { statements } = await product.recording(() =>
      product.features.feed.home(reader.viewer, null),
    );
    const { databaseUrl } = installation;
    await start("bare", startControl("bare-feed", { databaseUrl, statements }));
    const figures: Figure[] = [];
    for (const row of rows) {
      const contenders = row.what === feed ? servers : servers.slice(0, 2);
      const value = await takeTurns(row, contenders, installation);
      figures.push({ what: `By turns, ${row.what}: CPU`, value, goal: "", met: null });
    }
    return figures;
  } finally {
    for (const [, server] of servers) await server.stop();
    await product.close();
    rmSync(besides, { recursive: true, force: true });
  }
}

/** One server owns a folder; another of the same database has its secrets, and the mark of its pictures. */
function secondFolder(dataDir: string): string {
  const folder = mkdtempSync(join(tmpdir(), "postcard-bench-besides-"));
  for (const name of ["secrets.json", "pictures.id"])
    cpSync(join(dataDir, name), join(folder, name));
  return folder;
}

async function fillTown({ databaseUrl, dataDir }: Installation): Promise<void> {
  const program = new URL("../../demo/main.ts", import.meta.url).pathname;
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [program], { stdio: "ignore", env });
  const [code] = (await once(child, "exit")) as [number];
  if (code !== 0) throw new Error("The demo's town could not be filled.");
}

async function rowsOf(product: Product): Promise<{ reader: Member; rows: Row[] }> {
  const accounts = await product.db.query<{ id: string; username: string }>(sql`
    select a.id, a.username from accounts a
    where exists (select from posts p where p.author_id = a.id and p.number = 1)
    order by a.id
    limit 20
  `);
  const ids = accounts.slice(0, 2).map(({ id }) => id);
  const [reader, friend] = (await sessionsFor(product, ids)) as [Member, Member];
  await befriend(product, reader.viewer, friend.viewer);
  const words = { body: "Hello", picture: null, clientKey: null };
  const chatId = chatIdOf(friend.viewer, reader.viewer);
  const { conversationId } = await product.features.chat.send(friend.viewer, chatId, words);
  const paths = accounts.slice(1).map(({ username }) => `/api/posts/${username}/1`);
  const rows = [...readsOf(reader), ...writesOf(reader, paths, conversationId)];
  return { reader, rows };
}

const get = (path: string) => () => ({ path });

function readsOf({ cookie }: Member): Row[] {
  const page = { count: 150, headers: asBrowser(cookie), ask: get("/") };
  const call = { atOnce: 4, headers: { cookie } };
  return [
    { ...page, what: "home, 4 at once", atOnce: 4 },
    { ...page, what: "home, 64 at once", atOnce: 64 },
    { ...call, what: feed, count: 200, ask: get("/api/feed") },
    { ...call, what: "GET /health/live", count: 1000, ask: get("/health/live") },
    { ...call, what: "GET /api/session", count: 1000, ask: get("/api/session") },
  ];
}

/** A like and its undoing, comments on the posts at `paths`, and messages of a conversation. */
function writesOf({ cookie }: Member, paths: readonly string[], conversationId: string): Row[] {
  const headers = { cookie, "content-type": "application/json" };
  const body = JSON.stringify({ body: "Low tide at noon, and nobody on the pier." });
  const postAt = (index: number) => paths[index % paths.length] ?? "";
  const post = { count: 150, atOnce: 4, headers };
  return [
    {
      what: "a like",
      count: 300,
      atOnce: 4,
      headers: { cookie },
      ask: (index) => ({
        method: index % 2 === 0 ? "PUT" : "DELETE",
        path: `${postAt(Math.floor(index / 2))}/like`,
      }),
    },
    {
      ...post,
      what: "a comment",
      ask: (index) => ({ method: "POST", path: `${postAt(index)}/comments`, body }),
    },
    {
      ...post,
      what: "a message",
      ask: () => ({ method: "POST", path: `/api/chats/${conversationId}/messages`, body }),
    },
  ];
}

/** Each contender's rounds, one after the other in each round, so that other work on the machine affects all. */
async function takeTurns(
  row: Row,
  contenders: readonly Contender[],
  { databaseCpu }: Installation,
): Promise<string> {
  const all = contenders.map(([name, server]) => ({ name, server, rounds: [] as Round[] }));
  let sent = 0;
  const ask = async (server: MeasuredServer, count: number): Promise<Round> => {
    const from = sent;
    sent += count;
    const before = [await server.usage(), databaseCpu() ?? Number.NaN] as const;
    const { answered } = await sendLoad({
      url: server.url,
      headers: row.headers,
      rate: 10_000,
      count,
      connections: row.atOnce,
      patience: 600_000,
      ask: (index) => row.ask(from + index),
    });
    if (answered < count) throw new Error(`${count - answered} requests failed: ${row.what}.`);
    const after = [await server.usage(), databaseCpu() ?? Number.NaN] as const;
    return {
      server: (after[0].cpu - before[0].cpu) / count / 1000,
      database: (after[1] - before[1]) / count / 1000,
    };
  };
  for (const { server } of all) await ask(server, warmUp);
  for (let round = 0; round < rounds; round += 1) {
    for (const one of all) one.rounds.push(await ask(one.server, row.count));
  }
  return all.map((one) => `${one.name} ${inWords(one.rounds)}`).join("; ");
}

/** Minimum, median and maximum of the rounds. */
function inWords(all: readonly Round[]): string {
  const range = (key: keyof Round) => {
    const values = all.map((round) => round[key]);
    const three = [Math.min(...values), median(values), Math.max(...values)];
    return three.map((ms) => ms.toFixed(2)).join(" – ");
  };
  return `server ${range("server")}, database ${range("database")} ms`;
}
