import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { imageTables } from "#server/features/image-tables.ts";
import { shipOnce } from "#server/platform/admin/continuous.ts";
import { listChains } from "#server/platform/backup/chain.ts";
import { openArchived, silent as log, type Archived } from "../archived-database.ts";
import { cpuOfEnded, watchDatabaseCpu } from "../database-cpu.ts";
import { inFull, median, megabytes, type Figure } from "../table.ts";

const program = fileURLToPath(new URL("../../server/ship.ts", import.meta.url));
const writers = 6;
const rounds = 3;
/** Of each contender, in turns: what else the machine does affects both. Six are the minute in which the server ships once. */
const turn = { ms: 10_000, inMinute: 6 };
const goal = 1.1;

/** `cpu`: of its PostgreSQL so far, archive_command included, microseconds. */
type Contender = Archived & { clients: pg.Client[]; cpu: () => number };
type Written = { commits: number; cpu: number };

/**
 * What a continuous backup costs those who write: six connections commit rows of 1 kB as fast as they can, in
 * turns on a PostgreSQL that archives and is shipped, as the server does it, and on one that does not. A bare row
 * is the worst case: whatever else a request does costs the same on both. Once a minute a segment is finished and
 * shipped, which is twice what a server does that writes less than a segment in two minutes.
 */
export async function archiving(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "postcard-bench-archive-"));
  chmodSync(folder, 0o711);
  const contenders: Contender[] = [];
  try {
    const plain = await open(join(folder, "plain"), false);
    contenders.push(plain);
    const archived = await open(join(folder, "archived"), true);
    contenders.push(archived);
    const signal = new AbortController().signal;
    const ship = () => shipOnce({ config: archived.config, imageTables, log, signal });
    if ((await ship()) !== 0) throw new Error("No chain was begun.");
    const before = await position(archived);
    const found: { commits: number; cpu: number; sum: number }[] = [];
    const shippedBefore = cpuOfEnded();
    for (let round = 0; round < rounds; round += 1) {
      const without = { commits: 0, cpu: 0 };
      const beside = { commits: 0, cpu: 0 };
      for (let index = 0; index < turn.inMinute; index += 1) {
        add(without, await writeFor(plain, false));
        add(beside, await writeFor(archived, index === 0));
      }
      const ofCommit = ({ cpu, commits }: Written) => cpu / commits;
      found.push({
        commits: without.commits / beside.commits,
        cpu: ofCommit(beside) / ofCommit(without),
        sum: beside.commits,
      });
    }
    const shipping = (cpuOfEnded() - shippedBefore) / 1e6 / rounds;
    const logBytes = (await position(archived)) - before;
    await ship();
    const [chain] = await listChains(archived.config.backupDir ?? "");
    const wal = join(chain?.folder ?? "", "wal");
    const shipped = readdirSync(wal).reduce((sum, name) => sum + statSync(join(wal, name)).size, 0);
    const ratioOf = (key: "commits" | "cpu", what: string): Figure => {
      const ratios = found.map((each) => each[key]);
      const value = `${median(ratios).toFixed(2)} × (${ratios.map((each) => each.toFixed(2)).join(", ")})`;
      return { what, value, goal: `≤ ${goal} ×`, met: median(ratios) <= goal };
    };
    const commits = found.reduce((sum, each) => sum + each.sum, 0);
    const title = `Continuous backup: ${writers} writers of bare rows`;
    return [
      ratioOf("commits", `${title}: commits in the same time without it against with it`),
      ratioOf(
        "cpu",
        `${title}: PostgreSQL's CPU of a commit with it, its archiver included, against without`,
      ),
      {
        what: "Continuous backup: CPU of the process that ships a segment, once a minute at most",
        value: `${shipping.toFixed(1)} s`,
        goal: "",
        met: null,
      },
      {
        what: `Continuous backup: the log of ${inFull(commits)} such commits, and what BACKUP_DIR keeps of it`,
        value: `${megabytes(logBytes)}, ${megabytes(shipped)} compressed`,
        goal: "",
        met: null,
      },
    ];
  } finally {
    for (const { close } of contenders) await close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function add(sum: Written, { commits, cpu }: Written): void {
  sum.commits += commits;
  sum.cpu += cpu;
}

async function open(dataDir: string, archives: boolean): Promise<Contender> {
  const here = await openArchived(dataDir, archives);
  const cpu = await watchDatabaseCpu(here.connection);
  const clients = Array.from({ length: writers }, () => new pg.Client(here.connection));
  for (const client of clients) await client.connect();
  await clients[0]?.query("create table written (id bigserial primary key, body text not null)");
  const close = async () => {
    for (const client of clients) await client.end();
    await here.close();
  };
  return { ...here, clients, cpu: () => cpu() ?? Number.NaN, close };
}

/** A turn; if it `ships`, a segment is finished first, and the process that ships runs beside. */
async function writeFor(contender: Contender, ships: boolean): Promise<Written> {
  const { clients, cpu, environment } = contender;
  const [started, before] = [performance.now(), cpu()];
  let shipped: Promise<unknown> = Promise.resolve();
  if (ships) {
    await clients[0]?.query("select pg_switch_wal()");
    const env = { ...process.env, ...environment };
    shipped = once(spawn(process.execPath, [program], { stdio: "ignore", env }), "exit");
  }
  let commits = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - started < turn.ms) {
        await client.query("insert into written (body) values (repeat(md5(random()::text), 32))");
        commits += 1;
      }
    }),
  );
  await shipped;
  return { commits, cpu: cpu() - before };
}

async function position({ clients: [client] }: Contender): Promise<number> {
  const result = await client?.query<{ at: string }>(
    "select (pg_current_wal_lsn() - '0/0')::text as at",
  );
  return Number(result?.rows[0]?.at ?? 0);
}
