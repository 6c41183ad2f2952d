import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findStoredPrograms, storePrograms } from "#server/platform/db/stored-programs.ts";
import { binariesIn } from "#server/platform/db/postgres-binaries.ts";
import { afterFile } from "#server/test/after-file.ts";
import { silent } from "#server/test/backups.ts";

function folderIn(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, "postcard-programs-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Something that looks like a package of programs. */
function programs(version: string) {
  const folder = folderIn();
  for (const name of ["bin", "lib"]) mkdirSync(join(folder, "native", name), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ version }));
  writeFileSync(join(folder, "native", "bin", "postgres"), version, { mode: 0o755 });
  writeFileSync(join(folder, "native", "lib", "libpq.so.5.18"), "library");
  const links = [{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }];
  writeFileSync(join(folder, "native", "pg-symlinks.json"), JSON.stringify(links));
  return binariesIn(folder);
}

const contentOf = (path: string) => readFileSync(path, "utf8");
const namesIn = (dataDir: string) => readdirSync(join(dataDir, "postgres-programs")).sort();

test("programs are stored as links, and replaced by those of a minor update", async () => {
  const dataDir = folderIn();
  const first = programs("18.4.0-beta.17");
  await storePrograms(dataDir, first, silent);
  const kept = findStoredPrograms(dataDir, 18);
  expect(kept?.version).toBe("18.4.0-beta.17");
  expect(statSync(kept?.postgres ?? "").ino).toBe(statSync(first.postgres).ino);
  expect(contentOf(join(kept?.folder ?? "", "native", "lib", "libpq.so.5"))).toBe("library");
  // Existing files are left alone, and outlive the package.
  await storePrograms(dataDir, first, silent);
  rmSync(first.folder, { recursive: true });
  expect(contentOf(kept?.postgres ?? "")).toBe("18.4.0-beta.17");

  await storePrograms(dataDir, programs("18.5.0-beta.18"), silent);
  expect(namesIn(dataDir)).toEqual(["18.5.0-beta.18"]);
  // Also going back: always exactly the version that runs.
  await storePrograms(dataDir, programs("18.4.0-beta.17"), silent);
  expect(namesIn(dataDir)).toEqual(["18.4.0-beta.17"]);
});

test("those for a database from before an upgrade stay as long as it does", async () => {
  const dataDir = folderIn();
  const old = join(dataDir, "postgres", "data-17");
  mkdirSync(old, { recursive: true });
  await storePrograms(dataDir, programs("17.10.0-beta.17"), silent);
  await storePrograms(dataDir, programs("18.4.0-beta.17"), silent);
  expect(namesIn(dataDir)).toEqual(["17.10.0-beta.17", "18.4.0-beta.17"]);
  rmSync(old, { recursive: true });
  await storePrograms(dataDir, programs("18.4.0-beta.17"), silent);
  expect(namesIn(dataDir)).toEqual(["18.4.0-beta.17"]);
});

test("incomplete ones, left by a kill, are not used", async () => {
  const dataDir = folderIn();
  const draft = join(dataDir, "postgres-programs", "draft-18.4.0-beta.17");
  mkdirSync(join(draft, "native"), { recursive: true });
  expect(findStoredPrograms(dataDir, 18)).toBeNull();
  await storePrograms(dataDir, programs("18.4.0-beta.17"), silent);
  expect(namesIn(dataDir)).toEqual(["18.4.0-beta.17"]);
  expect(findStoredPrograms(dataDir, 18)?.version).toBe("18.4.0-beta.17");
});

test("where they cannot be stored, the start goes on", async () => {
  const dataDir = folderIn();
  writeFileSync(join(dataDir, "postgres-programs"), "a file");
  const said: string[] = [];
  const warn = (_details: object, message: string) => void said.push(message);
  await storePrograms(dataDir, programs("18.4.0-beta.17"), { ...silentLog, warn });
  expect(said).toEqual([expect.stringContaining("could not be kept")]);
});

const silentLog = { info: () => {}, warn: () => {}, error: () => {} };
const otherDisk = "/dev/shm";
const isOther = existsSync(otherDisk) && statSync(otherDisk).dev !== statSync(tmpdir()).dev;

test.skipIf(!isOther)("on another disk they are copied", async () => {
  const dataDir = folderIn(otherDisk);
  const said: object[] = [];
  const info = (details: object) => void said.push(details);
  const first = programs("18.4.0-beta.17");
  await storePrograms(dataDir, first, { ...silentLog, info });
  expect(contentOf(findStoredPrograms(dataDir, 18)?.postgres ?? "")).toBe("18.4.0-beta.17");
  expect(said).toEqual([expect.objectContaining({ size: expect.stringContaining("copied") })]);
});
