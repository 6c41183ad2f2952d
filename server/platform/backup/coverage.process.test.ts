import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { openStores } from "#server/adapters/image-store/open.ts";
import { imageTables } from "#server/features/image-tables.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import {
  listChains,
  packedFile,
  packedSegment,
  type Chain,
} from "#server/platform/backup/chain.ts";
import { partCount, readInParts } from "#server/platform/backup/coverage.ts";
import { drill } from "#server/platform/backup/drill.ts";
import { drillChain } from "#server/platform/backup/drill-chain.ts";
import { fileOfTable } from "#server/platform/backup/manifest.ts";
import { takeBackup } from "#server/platform/backup/take.ts";
import { archivedInstallation } from "#server/test/archived-installation.ts";
import { newFolder, silent } from "#server/test/backups.ts";
import { filesBelow } from "#server/test/traces.ts";

const dayMs = 24 * 60 * 60_000;

/** One bit, in what is packed if it is. */
function damage(path: string): void {
  const isPacked = path.endsWith(".gz");
  const bytes = isPacked ? gunzipSync(readFileSync(path)) : readFileSync(path);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(path, isPacked ? gzipSync(bytes) : bytes);
}

test(
  "what is too large to be read each day is restored once and then read in parts: a month finds what is damaged in any backup",
  { timeout: 300_000 },
  async () => {
    const here = await archivedInstallation();
    const { dataDir, backupDir, config } = here;
    const ada = await here.member();
    await here.photoPost(ada, "a photo");
    expect(await here.ship()).toBe(0);
    const source = {
      connection: here.postgres.connection,
      imageTables,
      stores: openStores(dataDir, { kind: "disk" }, silent),
      dataDir,
      secretsFile: config.secretsFile,
      settings: { publicUrl: config.publicUrl, imageStore: "disk" },
    };
    const old = await takeBackup(source, backupDir);
    const taken = await takeBackup(source, backupDir);
    const [chain] = (await listChains(backupDir)) as [Chain];
    const drilled = newFolder();
    chmodSync(drilled, 0o711);
    const productData = { imageTables, reconcile: reconcileCounters };
    const begin = Date.now();
    const drillOn = async (day: number) => {
      const reading = await readInParts(backupDir, new Date(begin + day * dayMs), 0);
      const options = { productData, dataDir: drilled, log: silent, reading };
      const results = [await drill(taken, options), await drillChain(chain, options)] as const;
      await reading.save();
      return results;
    };

    const first = await drillOn(0);
    for (const { faults, coverage } of first) {
      expect(faults).toEqual([]);
      expect(coverage).toMatchObject({ read: 1, of: partCount });
      expect(coverage?.restoredAt).not.toBeNull();
    }
    expect(first[1].rows, "replayed").toBeGreaterThan(10);

    const [image = ""] = await filesBelow(join(backupDir, "pictures", "originals"));
    const file = chain.manifest.files.find(({ bytes }) => bytes > 1000)?.path ?? "";
    const damagedFiles = [
      join(old.folder, fileOfTable("accounts")),
      join(chain.folder, packedFile(file)),
      join(chain.folder, packedSegment(chain.manifest.startSegment)),
      image,
    ];
    damagedFiles.forEach(damage);
    const found: string[] = [];
    for (let day = 1; day < partCount; day += 1) {
      const results = await drillOn(day);
      found.push(...results.flatMap(({ faults }) => faults));
      expect(results[1].rows, "not replayed").toBe(0);
      for (const { coverage } of results) expect(coverage?.read).toBe(day + 1);
    }
    for (const path of damagedFiles) {
      const named = path.slice(backupDir.length + 1).replace(/^continuous\/[^/]+\//, "");
      const name = named.replace(/^20[^/]+\//, "");
      expect(
        found.filter((fault) => fault.includes(name)),
        name,
      ).not.toEqual([]);
    }
    expect(new Set(found).size, found.join("\n")).toBeLessThanOrEqual(damagedFiles.length + 1);
  },
);
