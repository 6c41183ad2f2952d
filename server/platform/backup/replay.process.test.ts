import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { openStores } from "#server/adapters/image-store/open.ts";
import { open } from "#server/commands/commands.ts";
import { readConfig } from "#server/config.ts";
import { checkImages } from "#server/features/administration/index.ts";
import { imageTables } from "#server/features/image-tables.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import {
  consecutive,
  continuousIn,
  listChains,
  packedFile,
  packedSegment,
  readSegments,
  type Chain,
  reachOf,
} from "#server/platform/backup/chain.ts";
import { recordDeletions } from "#server/platform/backup/deletions.ts";
import { drillChain } from "#server/platform/backup/drill-chain.ts";
import { inspectFolder } from "#server/platform/backup/inspect-folder.ts";
import { restoreBackup } from "#server/platform/backup/restore.ts";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { withSession } from "#server/platform/db/dump.ts";
import { startEmbeddedPostgres } from "#server/platform/db/embedded-postgres.ts";
import { processesIn } from "#server/platform/db/postgres-processes.ts";
import { patientBounds } from "#server/platform/db/time-limits.ts";
import { archivedInstallation, fail } from "#server/test/archived-installation.ts";
import { flipBit, newFolder, silent } from "#server/test/backups.ts";
import { afterFile } from "#server/test/after-file.ts";
import { projectRoot, startProgram } from "#server/test/processes.ts";
import { query } from "#server/test/query.ts";
import { startS3Server } from "#server/test/s3-server.ts";
import { until } from "#server/test/until.ts";
import { filesBelow } from "#server/test/traces.ts";
import type { Viewer } from "#shared/views.ts";

type Here = Awaited<ReturnType<typeof archivedInstallation>>;

/** Has everything that was acknowledged until now shipped. */
async function shipAll(here: Here): Promise<string> {
  const segment = await here.finishSegment();
  expect(await here.ship()).toBe(0);
  return segment;
}

/** An installation with a base, and then posts named after the segments of the log that they are in. */
async function chainOf(segments: number) {
  const here = await archivedInstallation();
  const ada = await here.member("Ada Lovelace");
  await here.photoPost(ada, "base");
  expect(await here.ship()).toBe(0);
  for (let number = 1; number <= segments; number += 1) {
    await here.photoPost(ada, `segment ${number}`);
    await shipAll(here);
  }
  const [chain] = (await listChains(here.backupDir)) as [Chain];
  return { here, ada, chain };
}

/** An empty folder to restore into, and what is in it afterwards. */
function target() {
  const dataDir = join(newFolder(), "data");
  // PostgreSQL runs as another user if we are root.
  chmodSync(dirname(dataDir), 0o711);
  const config = readConfig({ NODE_ENV: "production", DATA_DIR: dataDir, LOG_LEVEL: "silent" });
  const deleteAgain = async (accounts: ReadonlySet<string>) => {
    const { features, close } = await open(config, "while-restoring");
    return features.deletion.deleteAgain(accounts).finally(close);
  };
  return {
    dataDir,
    restore: (from: string, to: Date | null = null) =>
      restoreBackup(from, config, { imageTables, log: silent, deleteAgain, to }),
    /** Everything in it is compared as an operator would, and handed over. */
    look: async <Result>(work: (db: Database) => Promise<Result>): Promise<Result> => {
      const postgres = await startEmbeddedPostgres({ dataDir, log: silent, onLost: fail });
      const { connection } = postgres;
      const db = createDatabase({ connection, log: silent, bounds: patientBounds });
      try {
        expect(await reconcileCounters(db)).toEqual([]);
        const faults: unknown[] = [];
        const stores = openStores(dataDir, { kind: "disk" }, silent);
        await checkImages({ db, ...stores }, { onFault: (fault) => void faults.push(fault) });
        expect(faults).toEqual([]);
        return await work(db);
      } finally {
        await db.close();
        await postgres.stop();
      }
    },
  };
}

const captionsIn = async (db: Database) =>
  (await query<{ text: string }>(db, "select caption as text from posts order by id")).map(
    ({ text }) => text,
  );

const accountsIn = (db: Database) => query(db, "select id from accounts");

const productData = { imageTables, reconcile: reconcileCounters };

const bucket = await startS3Server();
afterFile(bucket.stop);

test.each([
  ["a folder", {}],
  ["a bucket", bucket.backups("chains")],
])(
  "a continuous backup in %s is restored to its last moment and to one that is named, without who was deleted since",
  { timeout: 300_000 },
  async (_place, settings) => {
    const here = await archivedInstallation(settings);
    const [ada, bob] = (await here.members(2)) as [Viewer, Viewer];
    await here.photoPost(ada, "before");
    await here.photoPost(bob, "of somebody who leaves");
    expect(await here.ship()).toBe(0);
    const [chain] = (await listChains(here.backupDir)) as [Chain];

    const old = await here.photoPost(ada, "first");
    await here.likes.like(bob, old);
    await shipAll(here);
    const moment = new Date();
    await until(() => Date.now() > moment.getTime() + 5);
    await here.photoPost(ada, "second");
    await here.posts.remove(ada, ada.username, old.number);
    await here.deletion.requestFor(bob.id, 0);
    await here.deletion.deleteDue();
    await shipAll(here);
    await withSession(here.postgres.connection, (client) =>
      recordDeletions(client, here.backupDir),
    );

    const drilled = { productData, dataDir: newFolder(), log: silent };
    chmodSync(drilled.dataDir, 0o711);
    const result = await drillChain(chain, drilled);
    expect(result.faults).toEqual([]);
    expect(result.pictures).toBeGreaterThan(2);
    expect(result.rows).toBeGreaterThan(10);
    expect(existsSync(join(drilled.dataDir, "drill"))).toBe(false);
    const { continuousDrill } = await inspectFolder(here.backupDir, null);
    expect(continuousDrill).toMatchObject({ at: Date.parse(result.at), faults: [] });
    expect((await reachOf(chain))?.getTime()).toBeGreaterThan(moment.getTime());

    const newest = target();
    expect(await newest.restore(here.backupDir)).toMatchObject({
      folder: chain.folder,
      notes: [],
      skipped: [],
      deletedAgain: 0,
    });
    expect(await newest.look(captionsIn)).toEqual(["before", "second"]);
    expect(readFileSync(join(newest.dataDir, "secrets.json"))).toEqual(
      readFileSync(here.config.secretsFile),
    );

    const then = target();
    expect(await then.restore(here.backupDir, moment)).toMatchObject({
      until: moment.toISOString(),
      notes: [],
      skipped: [],
      deletedAgain: 1,
    });
    expect(await then.look(captionsIn)).toEqual(["before", "first"]);
    expect(await then.look(accountsIn)).toEqual([{ id: ada.id }]);

    // Neither before the base nor after the end.
    for (const [to, sentence] of [
      [new Date(0), /begins on .*, after the moment/],
      [new Date(Date.now() + 60_000), /reaches until .*, not until the moment/],
    ] as const) {
      await expect(target().restore(here.backupDir, to)).rejects.toThrow(sentence);
    }
    await expect(target().restore(newFolder(), moment)).rejects.toThrow(
      "There is no continuous backup in",
    );
  },
);

/** In what is packed: among zeros, some bits of a compressed file can change and nothing is lost. */
function flipPackedBit(path: string): void {
  const bytes = gunzipSync(readFileSync(path));
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(path, gzipSync(bytes));
}

/** A copy of the backups in which something is damaged. */
function damaged(from: string, damage: (folder: string) => void): string {
  const copy = newFolder();
  cpSync(from, copy, { recursive: true });
  damage(copy);
  return copy;
}

test(
  "each segment that is damaged or missing once: what is before it is restored and told, or it is refused",
  { timeout: 600_000 },
  async () => {
    const { here, chain } = await chainOf(3);
    const segments = consecutive(chain.manifest, await readSegments(chain)).map(({ name }) => name);
    const needed = segments.indexOf(chain.manifest.stopSegment) + 1;
    expect(segments.length).toBeGreaterThanOrEqual(needed + 3);
    const all = ["base", "segment 1", "segment 2", "segment 3"];
    const inChain = (folder: string, ...names: string[]) =>
      join(continuousIn(folder), chain.name, ...names);
    const drilled = { productData, dataDir: newFolder(), log: silent };
    chmodSync(drilled.dataDir, 0o711);

    for (const [index, name] of segments.entries()) {
      const copy = damaged(here.backupDir, (folder) => {
        const path = inChain(folder, packedSegment(name));
        if (index % 2 === 0) flipPackedBit(path);
        else rmSync(path);
      });
      const why = index % 2 === 0 ? "is not what was written" : "is missing";
      const there = target();
      if (index < needed) {
        await expect(there.restore(copy)).rejects.toThrow(`wal/${name}.gz ${why}`);
        expect(existsSync(there.dataDir), "nothing was written").toBe(false);
        continue;
      }
      const { notes } = await there.restore(copy);
      expect(notes).toEqual([expect.stringContaining(`wal/${name}.gz ${why}`)]);
      const found = await there.look(captionsIn);
      expect(found, "what is before it").toEqual(all.slice(0, found.length));
      expect(found.length).toBeLessThan(all.length);
      expect(found.length).toBeGreaterThanOrEqual(1 + index - needed);
      const [copied] = (await listChains(copy)) as [Chain];
      const { faults } = await drillChain(copied, drilled);
      expect(faults).toEqual([expect.stringContaining(`wal/${name}.gz ${why}`)]);
    }

    // A line of the list that is gone ends the log as well.
    const cut = damaged(here.backupDir, (folder) => {
      const path = inChain(folder, "wal.jsonl");
      const lines = readFileSync(path, "utf8").split("\n");
      writeFileSync(
        path,
        lines.filter((line) => !line.includes(segments[needed + 1] ?? "")).join("\n"),
      );
    });
    const there = target();
    expect((await there.restore(cut)).notes).toEqual([expect.stringContaining("wal.jsonl")]);
    expect(await there.look(captionsIn)).not.toContain("segment 3");
  },
);

test(
  "a base or an image that is damaged is refused before anything is written, and the daily backup is named",
  { timeout: 300_000 },
  async () => {
    const { here, chain } = await chainOf(1);
    const file = chain.manifest.files.find(({ path }) => /\d$/.test(path))?.path ?? "";
    const inChain = (folder: string, ...names: string[]) =>
      join(continuousIn(folder), chain.name, ...names);
    const [original = ""] = await filesBelow(join(here.backupDir, "pictures", "originals"));
    for (const [name, damage] of [
      [`files/${file}.gz`, (folder: string) => flipPackedBit(inChain(folder, packedFile(file)))],
      ["backup_label", (folder: string) => flipBit(inChain(folder, "backup_label"))],
      ["secrets.json", (folder: string) => rmSync(inChain(folder, "secrets.json"))],
      [
        "pictures/",
        (folder: string) => flipBit(join(folder, original.slice(here.backupDir.length))),
      ],
    ] as const) {
      const copy = damaged(here.backupDir, damage);
      const there = target();
      await expect(there.restore(copy), name).rejects.toThrow(`is damaged: ${name}`);
      expect(existsSync(there.dataDir), "nothing was written").toBe(false);
    }
    const copy = damaged(here.backupDir, (folder) => flipBit(inChain(folder, "manifest.json")));
    await expect(target().restore(copy)).rejects.toThrow(
      "its manifest.json is not what was written",
    );
  },
);

test(
  "a restore that is killed while it unpacks or while PostgreSQL replays begins anew, and no server starts before",
  { timeout: 300_000 },
  async () => {
    const { here } = await chainOf(2);
    const { dataDir, look } = target();
    const restore = () =>
      startProgram(
        [process.execPath, join(projectRoot, "server/admin.ts"), "restore-backup", here.backupDir],
        { env: { DATA_DIR: dataDir } },
      );
    const cluster = join(dataDir, "postgres", "data");
    for (const isThen of [
      () => existsSync(join(cluster, "global")),
      () => existsSync(join(cluster, "postmaster.pid")),
    ]) {
      const killed = restore();
      await until(isThen);
      killed.child.kill("SIGKILL");
      await killed.ended;
      expect(existsSync(join(dataDir, "restore.unfinished"))).toBe(true);
    }
    const last = restore();
    expect(await last.ended, last.said()).toBe(0);
    expect(last.said()).toContain("Restored");
    expect(processesIn(cluster)).toEqual([]);
    expect(await look(captionsIn)).toEqual(["base", "segment 1", "segment 2"]);
  },
);
