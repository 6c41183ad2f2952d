import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listBackups } from "#server/platform/backup/manifest.ts";
import { afterFile } from "#server/test/after-file.ts";
import { restoreTarget, newFolder, sourceInstallation } from "#server/test/backups.ts";

/** Mounting needs root. Without it, the faults that backup.test.ts injects have to do. */
function mountSmall(): string | null {
  const folder = join(newFolder(), "small");
  mkdirSync(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    console.info("Nothing may be mounted here, so no disk that is really full is tried.");
    return null;
  }
  afterFile(() => void execFileSync("umount", ["--lazy", folder]));
  return folder;
}

const disk = mountSmall();

test.skipIf(disk === null)(
  "a disk that fills up, at any point, leaves nothing that a restore takes for a backup",
  async () => {
    const into = disk as string;
    const here = await sourceInstallation();
    const ada = await here.member("Ada Lovelace");
    for (const words of ["One", "Two", "Three"]) await here.photoPost(ada, words);
    // Free space is not checked: writing itself must fail.
    const blind = { freeBytes: async () => 10 ** 12 };
    let failures = 0;
    const reached = new Set<string>();
    // A little more space each time: it fails among the images, in their list, among the tables.
    for (let kilobytes = 16; ; kilobytes += 16) {
      execFileSync("mount", ["-o", `remount,size=${kilobytes}k`, into]);
      try {
        const onProgress = (progress: object) => {
          reached.add("table" in progress ? "tables" : "images");
        };
        await here.back(into, { ...blind, onProgress });
        break;
      } catch (error) {
        failures += 1;
        expect((error as Error).message).toMatch(/is full: make room and back up again/);
        expect(await listBackups(into)).toEqual([]);
        if (failures % 8 !== 1) continue;
        const there = await restoreTarget();
        await expect(there.restore(into)).rejects.toThrow(/\.$/);
        expect(existsSync(there.dataDir)).toBe(false);
      }
    }
    expect(failures).toBeGreaterThan(4);
    expect(reached).toEqual(new Set(["images", "tables"]));
    const there = await restoreTarget();
    await there.restore(into);
    expect(readdirSync(into).filter((name) => name.startsWith(".draft-"))).toEqual([]);
  },
);
