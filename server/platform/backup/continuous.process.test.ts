import { EventEmitter } from "node:events";
import type { ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { readConfig } from "#server/config.ts";
import { imageTables } from "#server/features/image-tables.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { shipOnce } from "#server/platform/admin/continuous.ts";
import {
  listChains,
  reachOf,
  readSegments,
  verifyBase,
  verifySegments,
  type Chain,
} from "#server/platform/backup/chain.ts";
import { createArchiving } from "#server/platform/backup/continuous.ts";
import { readContinuous, readState } from "#server/platform/backup/continuous-state.ts";
import { pathOfImage } from "#server/platform/backup/images.ts";
import { listedImages } from "#server/platform/backup/listed-images.ts";
import { whyDamaged } from "#server/platform/backup/damaged.ts";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { startEmbeddedPostgres } from "#server/platform/db/embedded-postgres.ts";
import { readOff, segmentsIn, spoolSize } from "#server/platform/db/wal-spool.ts";
import { patientBounds } from "#server/platform/db/time-limits.ts";
import { archivedInstallation, fail } from "#server/test/archived-installation.ts";
import { newFolder, silent } from "#server/test/backups.ts";
import { query } from "#server/test/query.ts";
import { replayChain } from "#server/test/replay-chain.ts";

/** A base is some thousand files, which a busy disk takes its time for, milliseconds. */
const timeout = 400_000;

/** Replays a chain elsewhere, and hands its database over. */
async function replay<Result>(
  chain: Chain,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const dataDir = newFolder();
  chmodSync(dataDir, 0o711);
  await replayChain(chain, dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent, onLost: fail });
  const db = createDatabase({
    connection: postgres.connection,
    log: silent,
    bounds: patientBounds,
  });
  try {
    return await work(db);
  } finally {
    await db.close();
    await postgres.stop();
  }
}

const bodies = async (db: Database) =>
  (await query<{ body: string }>(db, "select caption as body from posts order by body")).map(
    ({ body }) => body,
  );

test(
  "a base and the log since then bring back everything that was acknowledged, with its images",
  { timeout },
  async () => {
    const here = await archivedInstallation();
    const ada = await here.member();
    await here.photoPost(ada, "before the base");
    expect(await here.ship()).toBe(0);
    const [begun] = await listChains(here.backupDir);
    if (!begun) throw new Error("There is no chain.");
    expect(await reachOf(begun)).not.toBeNull();

    await here.photoPost(ada, "after it");
    await here.finishSegment();
    expect(await here.ship()).toBe(0);
    await here.photoPost(ada, "later");
    const last = await here.finishSegment();
    const acknowledged = Date.now();
    await here.photoPost(ada, "not shipped");
    expect(await here.ship()).toBe(0);
    expect(await segmentsIn(here.spool)).toEqual([]);

    const [chain, ...others] = await listChains(here.backupDir);
    if (!chain) throw new Error("There is no chain.");
    expect(others).toEqual([]);
    await verifyBase(chain);
    const { whole, fault } = await verifySegments(chain);
    expect({ fault, last: whole.at(-1)?.name }).toEqual({ fault: null, last });
    const reach = (await reachOf(chain))?.getTime() ?? 0;
    expect(reach).toBeLessThanOrEqual(acknowledged);
    const state = await readContinuous(here.dataDir);
    expect(state).toEqual({ reachesUntil: reach, trouble: "" });

    await replay(chain, async (db) => {
      expect(await bodies(db)).toEqual(["after it", "before the base", "later"]);
      expect(await reconcileCounters(db)).toEqual([]);
      const named = await query<{ key: string }>(db, "select key from images");
      const listed = new Set<string>();
      for await (const image of listedImages(chain.folder, imageTables)) {
        // Until it was copied it was only announced.
        if (image.files.length === 0) continue;
        listed.add(image.key);
        expect(image.missing).toEqual([]);
        for (const [name, bytes, sha256] of image.files) {
          const path = join("pictures", pathOfImage(image, name));
          expect(await whyDamaged(here.backupDir, { name: path, bytes, sha256 })).toBeNull();
        }
      }
      expect(named.length).toBeGreaterThanOrEqual(4);
      expect(named.filter(({ key }) => !listed.has(key))).toEqual([]);
    });
  },
);

test(
  "where a piece of the log is missing, the chain ends there and a new one begins at once",
  { timeout },
  async () => {
    const here = await archivedInstallation();
    const ada = await here.member();
    await here.ship();
    await here.textPost(ada, "lost");
    rmSync(join(here.spool, await here.finishSegment()));
    await here.textPost(ada, "behind the gap");
    await here.finishSegment();
    expect(await here.ship()).toBe(0);
    const chains = await listChains(here.backupDir);
    expect(chains).toHaveLength(2);
    expect(await readState(here.dataDir)).toMatchObject({ chain: chains[1]?.name, failure: "" });
    // The first one is as good as it was.
    expect((await verifySegments(chains[0] as Chain)).fault).toBeNull();
    await replay(chains[1] as Chain, async (db) => {
      expect(await bodies(db)).toEqual(["behind the gap", "lost"]);
    });
  },
);

test(
  "a folder that is gone keeps the log waiting, and one that came back gets it",
  { timeout },
  async () => {
    const here = await archivedInstallation();
    const ada = await here.member();
    await here.ship();
    renameSync(here.backupDir, `${here.backupDir} away`);
    await here.textPost(ada, "meanwhile");
    const name = await here.finishSegment();
    expect(await here.ship()).toBe(1);
    // an empty mount point
    mkdirSync(here.backupDir);
    expect(await here.ship()).toBe(1);
    expect((await readState(here.dataDir)).failure).toContain("Is the disk mounted?");
    expect(readdirSync(here.backupDir)).toEqual([]);
    rmSync(here.backupDir, { recursive: true });
    renameSync(`${here.backupDir} away`, here.backupDir);
    expect(await here.ship()).toBe(0);
    const [chain] = await listChains(here.backupDir);
    expect((await readSegments(chain as Chain)).at(-1)?.name).toBe(name);
    expect(await readState(here.dataDir)).toMatchObject({ failure: "" });
  },
);

test(
  "images whose store is away hold up nothing else, and are copied once it is back",
  { timeout },
  async () => {
    const here = await archivedInstallation();
    const ada = await here.member();
    await here.ship();
    const before = await readState(here.dataDir);
    await here.photoPost(ada, "a photo");
    await here.textPost(ada, "words");
    const name = await here.finishSegment();
    // Nothing answers there.
    const { imageStore } = readConfig({
      NODE_ENV: "test",
      IMAGE_STORE: "s3://away?endpoint=http://127.0.0.1:1&region=eu-west-1",
      S3_ACCESS_KEY_ID: "away",
      S3_SECRET_ACCESS_KEY: "away",
    });
    const signal = new AbortController().signal;
    const config = { ...here.config, imageStore };
    expect(await shipOnce({ config, imageTables, log: silent, signal })).toBe(1);
    expect(await segmentsIn(here.spool)).toEqual([]);
    const [chain] = (await listChains(here.backupDir)) as [Chain];
    expect((await readSegments(chain)).at(-1)?.name).toBe(name);
    const { reachesUntil, failure } = await readState(here.dataDir);
    expect(reachesUntil).toBe(before.reachesUntil);
    expect(failure).not.toBe("");
    const soon = new Date(Date.now() + 60 * 60_000);
    expect((await readContinuous(here.dataDir, soon))?.trouble).toMatch(/is behind\. ./);
    await replay(chain, async (db) => expect(await bodies(db)).toEqual(["a photo", "words"]));

    const missing = async () => {
      const files = new Map<string, number>();
      for await (const image of listedImages(chain.folder, imageTables)) {
        files.set(image.key, (files.get(image.key) ?? 0) + image.files.length);
      }
      return [...files.values()].filter((count) => count === 0).length;
    };
    expect(await missing()).toBe(1);
    expect(await here.ship()).toBe(0);
    expect(await missing()).toBe(0);
    expect((await readContinuous(here.dataDir, soon))?.trouble).toBe("");
  },
);

test(
  "when the folder takes nothing and too much waits, it is given up, and begun anew when it answers",
  { timeout },
  async () => {
    const here = await archivedInstallation();
    const ada = await here.member();
    await here.ship();
    // A process that hangs with the disk.
    const hanging = Object.assign(new EventEmitter(), { exitCode: null, kill: () => true });
    let started = 0;
    let free = 2e12;
    let clock = Date.now();
    const archiving = createArchiving({
      config: here.config,
      log: silent,
      start: () => {
        started += 1;
        return hanging as unknown as ChildProcess;
      },
      freeBytes: async () => free,
      now: () => clock,
    });
    clock += 60_000;
    await here.textPost(ada, "waits");
    await here.finishSegment();
    await archiving.look();
    await archiving.look();
    expect(started).toBe(1);
    expect(await segmentsIn(here.spool)).toHaveLength(1);
    expect(await readOff(here.spool)).toBeNull();
    // almost full
    free = 100 * 2 ** 20;
    await archiving.look();
    expect(await segmentsIn(here.spool)).toEqual([]);
    const { trouble } = (await readContinuous(here.dataDir)) ?? {};
    expect(trouble).toMatch(/^The continuous backup was given up: .*backups did not take/);

    // PostgreSQL goes on, and gets rid of its log.
    await here.textPost(ada, "nobody archives this");
    await query(here.db, "select pg_switch_wal()");
    await here.textPost(ada, "nor this");
    await query(here.db, "checkpoint");
    while ((await spoolSize(here.spool)).bytes > 0) await sleep(50);
    expect(await segmentsIn(here.spool)).toEqual([]);

    expect(await here.ship()).toBe(0);
    expect(existsSync(join(here.spool, "off"))).toBe(false);
    const chains = await listChains(here.backupDir);
    expect(chains).toHaveLength(2);
    expect(await readContinuous(here.dataDir)).toMatchObject({ trouble: "" });
    await replay(chains[1] as Chain, async (db) => {
      expect(await bodies(db)).toEqual(["nobody archives this", "nor this", "waits"]);
    });
  },
);
