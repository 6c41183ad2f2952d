import { spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import type { PostRef } from "#server/features/types.ts";
import { shipOnce } from "#server/platform/admin/continuous.ts";
import { listChains, type Chain } from "#server/platform/backup/chain.ts";
import { drillChain } from "#server/platform/backup/drill-chain.ts";
import { pathOfImage } from "#server/platform/backup/images.ts";
import { restoreBackup } from "#server/platform/backup/restore.ts";
import { sql } from "#server/platform/db/sql.ts";
import { withSession } from "#server/platform/db/dump.ts";
import { segmentsIn, spoolOf, switchOff } from "#server/platform/db/wal-spool.ts";
import type { Viewer } from "#shared/views.ts";
import { openArchived, silent, type Archived } from "../archived-database.ts";
import { cpuOfEnded, watchDatabaseCpu } from "../database-cpu.ts";
import { growGraph } from "../graph.ts";
import { openProduct, sessionsFor } from "../product.ts";
import { inFull, megabytes, type Figure } from "../table.ts";

const program = fileURLToPath(new URL("../../server/admin.ts", import.meta.url));
/** Accounts whose rows, with their indexes, fill a gigabyte (docs/capacity.md). */
const accountsInGigabyte = 20_000;
/** A photo of 3 MB and its copies, half as much again, as in bench/capacity.ts. */
const photo = {
  original: 3_000_000,
  copies: { 320: 60_000, 640: 200_000, 1080: 440_000, 1600: 800_000 },
};
const table = "pictured";
/** What people write between two checkpoints (five minutes), 1,000 and 100,000 of them: capacity.ts. */
const written = [43, 4300] as const;

const textPost = {
  caption: "Low tide at noon, and nobody on the pier.",
  pictures: [],
  timeZone: "UTC",
  clientKey: null,
};

type CostOf = ReturnType<typeof costOf>;
type Cost = { seconds: number; cpu: number };

/**
 * What the continuous backup of a DATA_DIR of so many gigabytes costs, half of them rows and half photos: its base,
 * a piece of the log, a drill of the database, and a restore of everything.
 */
export async function continuous(
  gigabytes: number,
  say: (line: string) => void,
): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "postcard-bench-continuous-"));
  chmodSync(folder, 0o711);
  const here = await openArchived(join(folder, "data"), true);
  const cpu = await watchDatabaseCpu(here.connection);
  const cost = costOf(cpu);
  const name = `${gigabytes} GB`;
  try {
    await switchOff(spoolOf(here.config.dataDir), { at: new Date().toISOString(), why: "" });
    await growGraph(here.connection, {
      accounts: (gigabytes * accountsInGigabyte) / 2,
      postsPerAccount: 8,
    });
    say(`${name}: rows are there`);
    const signal = new AbortController().signal;
    const ship = (imageTables: Record<string, "public">) =>
      shipOnce({ config: here.config, imageTables, log: silent, signal });
    await withSession(here.connection, (client) =>
      client.query(`create table ${table} (key text unique, bytes integer, widths integer[])`),
    );
    const base = await cost(() => ship({}));
    const [chain] = (await listChains(here.config.backupDir ?? "")) as [Chain];
    const unpacked = chain.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
    const packed = bytesBelow(join(chain.folder, "files"));
    say(`${name}: base of ${megabytes(unpacked)}: ${inWords(base)}`);
    const figures = [
      figure(
        `${name}: base of ${megabytes(unpacked)} of database`,
        `${megabytes(packed)} compressed, ${inWords(base)}`,
      ),
      ...(await logOfWrites(here, chain, name, cost)),
    ];
    const photos = Math.round((gigabytes * 1e9) / 2 / 4.5e6);
    await addPhotos(here, photos);
    await finishSegment(here.connection, spoolOf(here.config.dataDir));
    const images = await cost(() => ship({ [table]: "public" }));
    figures.push(
      figure(
        `${name}: ${inFull(photos)} photos (${megabytes(photos * 4.5e6)}) copied and hashed`,
        inWords(images),
      ),
    );
    const drillFolder = join(folder, "drill");
    mkdirSync(drillFolder, { mode: 0o711 });
    const productData = { imageTables: {}, reconcile: reconcileCounters };
    const drilled = await cost(async () => {
      const { faults } = await drillChain(chain, {
        productData,
        dataDir: drillFolder,
        log: silent,
      });
      if (faults.length > 0) throw new Error(faults.join(" "));
    });
    figures.push(figure(`${name}: drill of the database`, inWords(drilled)));
    say(`${name}: drill: ${inWords(drilled)}`);
    return [...figures, ...(await restored(here, folder, name, cost))];
  } finally {
    await here.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const figure = (what: string, value: string): Figure => ({ what, value, goal: "", met: null });

const inWords = ({ seconds, cpu }: Cost): string =>
  `${cpu.toFixed(1)} s of processor in ${seconds.toFixed(0)} s`;

/** Of this process, of those it started that have ended, and of the database. */
function costOf(database: () => number | null) {
  const used = () => {
    const { user, system } = process.cpuUsage();
    return (user + system + cpuOfEnded() + (database() ?? 0)) / 1e6;
  };
  return async (work: () => Promise<unknown>): Promise<Cost> => {
    const [started, before] = [performance.now(), used()];
    await work();
    return { seconds: (performance.now() - started) / 1000, cpu: used() - before };
  };
}

/** The log that likes, comments and posts make, for so many between two checkpoints, and what it costs to ship it. */
async function logOfWrites(
  here: Archived,
  chain: Chain,
  name: string,
  cost: CostOf,
): Promise<Figure[]> {
  const { config, connection } = here;
  const spool = spoolOf(config.dataDir);
  const figures: Figure[] = [];
  const product = openProduct({ connection, dataDir: join(config.dataDir, "bench") });
  try {
    const posts = await product.db.query<PostRef>(sql`
      select author_id as "authorId", id as "postId" from posts order by random() limit 5000
    `);
    const authors = [...new Set(posts.map(({ authorId }) => authorId))].slice(0, 200);
    const viewers = (await sessionsFor(product, authors)).map(({ viewer }) => viewer);
    for (const count of written) {
      await product.db.query(sql`checkpoint`);
      await finishSegment(connection, spool);
      await shipInProcess(here);
      const [before, from] = [await position(connection), bytesBelow(join(chain.folder, "wal"))];
      for (let index = 0; index < count; index += 1) {
        const [viewer, post] = [viewers[index % viewers.length], posts[index % posts.length]];
        await write(product, viewer as Viewer, post as PostRef, index);
      }
      const bytes = (await position(connection)) - before;
      await finishSegment(connection, spool);
      const waiting = (await segmentsIn(spool)).length;
      const shipped = await cost(() => shipInProcess(here));
      const kept = bytesBelow(join(chain.folder, "wal")) - from;
      figures.push(
        figure(
          `${name}: the log of ${inFull(count)} likes, comments and posts after a checkpoint`,
          `${(bytes / 1e6).toFixed(1)} MB, ${(kept / 1e6).toFixed(1)} compressed; ${inWords(shipped)} to ship its ${waiting} segments`,
        ),
      );
    }
  } finally {
    await product.close();
  }
  return figures;
}

/** As docs/capacity.md has it: of 42, 28 likes, 12 comments or messages, a bookmark and a post. */
async function write(
  { features }: ReturnType<typeof openProduct>,
  viewer: Viewer,
  at: PostRef,
  index: number,
): Promise<void> {
  const kind = index % 42;
  if (kind === 0) await features.posts.publish(viewer, textPost);
  else if (kind === 1) await features.bookmarks.save(viewer, at);
  else if (kind < 14) await features.comments.add(viewer, at, "What a view! Where is that?", null);
  else await features.likes.like(viewer, at);
}

/** What the server starts every minute. */
async function shipInProcess({ environment }: Archived): Promise<void> {
  const child = spawn(process.execPath, [program, "backup", "--continuous"], {
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`Shipping ended with code ${code}.`);
}

/** Rows that name photos, and their files; bytes that nothing can compress. */
async function addPhotos({ connection, config }: Archived, count: number): Promise<void> {
  const bytes = Buffer.alloc(photo.original);
  await withSession(connection, async (client) => {
    await client.query(
      `insert into ${table} select md5(n::text), $2, $3 from generate_series(1, $1::integer) n`,
      [count, photo.original, Object.keys(photo.copies).map(Number)],
    );
    const { rows } = await client.query<{ key: string }>(`select key from ${table}`);
    for (const { key } of rows) {
      randomFillSync(bytes);
      const put = (name: string, size: number) => {
        const path = join(config.dataDir, pathOfImage({ area: "public", key }, name));
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        writeFileSync(path, bytes.subarray(0, size));
      };
      put("original", photo.original);
      for (const [width, size] of Object.entries(photo.copies)) put(`${width}.webp`, size);
    }
  });
}

/** Restores everything into an empty folder, and says how long each of its steps took. */
async function restored(
  here: Archived,
  folder: string,
  name: string,
  cost: CostOf,
): Promise<Figure[]> {
  const there = join(folder, "restored");
  const target = {
    dataDir: there,
    databaseUrl: null,
    secretsFile: join(there, "secrets.json"),
    imageStore: { kind: "disk" },
  } as const;
  const began = new Map<string, number>();
  const whole = await cost(() =>
    restoreBackup(here.config.backupDir ?? "", target, {
      imageTables: { [table]: "public" },
      log: silent,
      deleteAgain: async () => 0,
      onProgress: ({ step }) => void (began.has(step) || began.set(step, performance.now())),
    }),
  );
  const ended = performance.now();
  const steps = [...began].map(([step, from], index, all) => {
    const until = all[index + 1]?.[1] ?? ended;
    return `${step} ${((until - from) / 1000).toFixed(0)} s`;
  });
  return [figure(`${name}: restore of everything`, `${inWords(whole)} (${steps.join(", ")})`)];
}

async function finishSegment(connection: pg.ClientConfig, spool: string): Promise<void> {
  const name = await withSession(connection, async (client) => {
    await client.query("select pg_logical_emit_message(false, 'bench', 'something')");
    const { rows } = await client.query<{ name: string }>(
      "select pg_walfile_name(pg_switch_wal() - 1) as name",
    );
    return rows[0]?.name ?? "";
  });
  while (!(await segmentsIn(spool)).includes(name))
    await new Promise((resolve) => setTimeout(resolve, 50));
}

const position = (connection: pg.ClientConfig): Promise<number> =>
  withSession(connection, async (client) => {
    const { rows } = await client.query<{ at: string }>(
      "select (pg_current_wal_lsn() - '0/0')::text as at",
    );
    return Number(rows[0]?.at ?? 0);
  });

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
