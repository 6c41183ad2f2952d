import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { drill } from "#server/platform/backup/drill.ts";
import { openBackup } from "#server/platform/backup/manifest.ts";
import { findRunningPostgres } from "#server/platform/db/embedded-postgres.ts";
import { imageTables } from "#server/features/image-tables.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { flipBit, silent } from "#server/test/backups.ts";
import { imagesOnDisk, storeEnvironment } from "#server/test/image-stores.ts";
import { projectRoot, startProgram, temporaryFolder } from "#server/test/processes.ts";
import { addressOf, postmasterOf, signUp, startServer } from "#server/test/running-server.ts";
import { filesBelow } from "#server/test/traces.ts";

/** Runs one of the operator's commands on a data folder. */
async function admin(dataDir: string, ...words: string[]) {
  const program = join(projectRoot, "server/admin.ts");
  const command = startProgram([process.execPath, program, ...words], {
    env: { DATA_DIR: dataDir, PORT: "0", ...storeEnvironment(dataDir) },
  });
  const code = await command.ended;
  return { code, said: command.said() };
}

async function isSignedIn(address: string, cookie: string): Promise<boolean> {
  return (await fetch(`${address}/profile`, { headers: { cookie } })).status === 200;
}

test(
  "a server takes a backup and restores it for a drill, which finds a fault; it is restored on another machine",
  { timeout: 400_000 },
  async () => {
    const folder = temporaryFolder();
    const dataDir = join(folder, "data");
    // A backup is due at the first start with a folder.
    const empty = startServer(dataDir);
    const cookie = await signUp(await addressOf(empty), "ada@example.org");
    empty.child.kill("SIGTERM");
    expect(await empty.ended).toBe(0);

    const backups = join(folder, "backups");
    mkdirSync(backups);
    const server = startServer(dataDir, { BACKUP_DIR: backups });
    const address = await addressOf(server);
    await server.until(/"a backup was taken"/);
    await server.until(/"the backup was restored for a drill, and everything is right"/);
    const name = readdirSync(backups).find((entry) => entry.startsWith("20")) ?? "";
    const verdict: unknown = JSON.parse(readFileSync(join(backups, name, "drill.json"), "utf8"));
    expect(verdict).toMatchObject({ faults: [], pictures: 1 });
    expect(existsSync(join(dataDir, "drill"))).toBe(false);

    // Damages a copy: the drill finds it.
    const tampered = join(folder, "tampered");
    cpSync(backups, tampered, { recursive: true });
    const [original = ""] = await filesBelow(join(tampered, "pictures", "originals"));
    flipBit(original);
    const productData = { imageTables, reconcile: reconcileCounters };
    const options = { productData, dataDir: join(folder, "elsewhere"), log: silent };
    const image = await drill(await openBackup(tampered), options);
    expect(image.faults).toEqual([
      expect.stringMatching(/pictures\/originals\/.* is not what was written/),
    ]);
    flipBit(join(tampered, name, "database", "accounts.copy.gz"));
    const table = await drill(await openBackup(tampered), options);
    expect(table.faults).toEqual([
      expect.stringContaining("accounts.copy.gz is not what was written"),
    ]);

    // A drill that an operator starts also finds a counter that is wrong in the database itself.
    const client = new pg.Client(findRunningPostgres(dataDir) ?? {});
    await client.connect();
    await client.query("update account_counters set followers = 7");
    const own = join(folder, "own backups");
    const wrong = await admin(dataDir, "backup", own, "--drill");
    expect(wrong.said).toContain("account_counters.followers");
    expect(wrong).toMatchObject({ code: 1, said: expect.stringContaining("It holds the keys") });
    await client.query("update account_counters set followers = 0");
    await client.end();
    expect(await isSignedIn(address, cookie)).toBe(true);

    // The damaged image was moved aside, and is copied again.
    if (imagesOnDisk()) {
      const again = await admin(dataDir, "backup", tampered);
      expect(again).toMatchObject({ code: 0, said: expect.stringContaining("Copied 1 files") });
    }

    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    const stopped = await admin(dataDir, "backup", own);
    expect(stopped).toMatchObject({ code: 0 });
    expect(postmasterOf(dataDir)).toBeNull();

    const restored = join(folder, "restored");
    expect(await admin(restored, "restore-backup", own)).toMatchObject({
      code: 0,
      said: expect.stringContaining("Restored"),
    });
    expect(postmasterOf(restored)).toBeNull();
    const there = startServer(restored);
    // The cookie from before works: the secrets were restored as well.
    expect(await isSignedIn(await addressOf(there), cookie)).toBe(true);
    there.child.kill("SIGTERM");
    expect(await there.ended).toBe(0);
    expect(await admin(restored, "check-pictures")).toMatchObject({ code: 0 });
    expect(await admin(restored, "restore-backup", own)).toMatchObject({
      code: 1,
      said: expect.stringContaining("is not empty: restore into an empty folder"),
    });
  },
);
