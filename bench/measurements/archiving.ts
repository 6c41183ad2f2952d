import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { pino } from "pino";
import { readConfig } from "#server/config.ts";
import { imageTables } from "#server/features/administration/index.ts";
import { shipOnce } from "#server/platform/admin/continuous.ts";
import { listChains } from "#server/platform/backup/chain.ts";
import { createDatabase } from "#server/platform/db/database.ts";
import { startEmbeddedPostgres } from "#server/platform/db/embedded-postgres.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { renewSecrets } from "#server/platform/secrets.ts";
import { inFull, median, megabytes, type Figure } from "../table.ts";

const program = fileURLToPath(new URL("../../server/admin.ts", import.meta.url));
const log = pino({ level: "silent" });
const writers = 6;
const rounds = 3;
/** As often as the server ships, milliseconds. */
const roundMs = 60_000;
const goal = 1.1;

type Contender = {
  clients: pg.Client[];
  close: () => Promise<void>;
  config: ReturnType<typeof readConfig>;
};

/**
 * What a continuous backup costs those who write: six connections commit rows of 1 kB as fast as they can, for
 * a minute each on a PostgreSQL that archives and is shipped, as the server does it, and on one that does not.
 * A bare row is the worst case: whatever else a request does costs the same on both. Twice a minute a segment
 * is finished, as on a server with two minutes for each and more to write.
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
    if ((await shipOnce({ config: archived.config, imageTables, log, signal })) !== 0)
      throw new Error("No chain was begun.");
    const ratios: number[] = [];
    let [commits, logBytes] = [0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const without = await writeFor(plain, null);
      const shipping = spawn(process.execPath, [program, "backup", "--continuous"], {
        stdio: "ignore",
        env: { ...process.env, ...environment(archived.config.dataDir) },
      });
      const ended = once(shipping, "exit");
      const before = await position(archived);
      const beside = await writeFor(archived, "select pg_switch_wal()");
      await ended;
      logBytes += (await position(archived)) - before;
      commits += beside;
      ratios.push(without / beside);
    }
    await shipOnce({ config: archived.config, imageTables, log, signal });
    const [chain] = await listChains(archived.config.backupDir ?? "");
    const wal = join(chain?.folder ?? "", "wal");
    const shipped = readdirSync(wal).reduce((sum, name) => sum + statSync(join(wal, name)).size, 0);
    const ratio = median(ratios);
    return [
      {
        what: `Continuous backup: ${writers} writers of bare rows with it against without, commits in a minute`,
        value: `${ratio.toFixed(2)} × (${ratios.map((each) => each.toFixed(2)).join(", ")})`,
        goal: `≤ ${goal} ×`,
        met: ratio <= goal,
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

const onLost = (error: Error): never => {
  throw error;
};

const environment = (dataDir: string) => ({
  NODE_ENV: "production",
  DATA_DIR: dataDir,
  BACKUP_DIR: `${dataDir}-backups`,
  LOG_LEVEL: "silent",
});

async function open(dataDir: string, archives: boolean): Promise<Contender> {
  const config = readConfig(environment(dataDir));
  mkdirSync(config.backupDir ?? "");
  const postgres = await startEmbeddedPostgres({ dataDir, log, onLost, archives });
  const { connection } = postgres;
  await migrate({ connection });
  const db = createDatabase({ connection, log });
  await renewSecrets(config.secretsFile, db);
  await db.close();
  const clients = Array.from({ length: writers }, () => new pg.Client(connection));
  for (const client of clients) await client.connect();
  await clients[0]?.query("create table written (id bigserial primary key, body text not null)");
  const close = async () => {
    for (const client of clients) await client.end();
    await postgres.stop();
  };
  return { clients, close, config };
}

/** How many rows were committed; `between` is sent after a third and two thirds of the time. */
async function writeFor({ clients }: Contender, between: string | null): Promise<number> {
  const started = performance.now();
  const isOver = () => performance.now() - started > roundMs;
  let [commits, sent] = [0, 0];
  await Promise.all(
    clients.map(async (client, index) => {
      while (!isOver()) {
        await client.query("insert into written (body) values (repeat(md5(random()::text), 32))");
        commits += 1;
        const due = ((sent + 1) * roundMs) / 3;
        if (index > 0 || between === null || sent === 2 || performance.now() - started < due)
          continue;
        sent += 1;
        await client.query(between);
      }
    }),
  );
  return commits;
}

async function position({ clients: [client] }: Contender): Promise<number> {
  const result = await client?.query<{ at: string }>(
    "select (pg_current_wal_lsn() - '0/0')::text as at",
  );
  return Number(result?.rows[0]?.at ?? 0);
}
