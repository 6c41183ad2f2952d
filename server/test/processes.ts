import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach } from "vitest";
import { killLeftovers, projectRoot } from "#server/test/programs.ts";

export { projectRoot, startProgram, type Running } from "#server/test/programs.ts";

const nobody = 65534;

/** The uid of an unprivileged user, if we are root and that user may read the project; else null. */
export const ordinaryUser = process.getuid?.() === 0 && mayRun(nobody) ? nobody : null;

function mayRun(uid: number): boolean {
  return (
    spawnSync(process.execPath, ["--version"], { cwd: projectRoot, uid, gid: uid }).status === 0
  );
}

afterEach(killLeftovers);

/** A folder that is removed after the test file; `uid` owns it. */
export function temporaryFolder(uid?: number): string {
  // With a space in its path, as many people's folders have.
  const folder = mkdtempSync(join(tmpdir(), "pc "));
  chmodSync(folder, 0o711);
  if (uid !== undefined) chownSync(folder, uid, uid);
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
