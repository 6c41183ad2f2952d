import { join } from "node:path";
import { expect, test } from "vitest";
import { afterFile } from "#server/test/after-file.ts";
import { flipBit } from "#server/test/backups.ts";
import { storeEnvironment } from "#server/test/image-stores.ts";
import { projectRoot, startProgram, temporaryFolder } from "#server/test/processes.ts";
import { addressOf, signUp, startServer } from "#server/test/running-server.ts";
import { startS3Server } from "#server/test/s3-server.ts";
import { filesBelow } from "#server/test/traces.ts";

const bucket = await startS3Server();
afterFile(bucket.stop);
const settings = bucket.backups("life");

/** Runs one of the operator's commands on a data folder. */
async function admin(dataDir: string, words: string[], env: NodeJS.ProcessEnv = {}) {
  const program = join(projectRoot, "server/admin.ts");
  const command = startProgram([process.execPath, program, ...words], {
    env: { DATA_DIR: dataDir, PORT: "0", ...storeEnvironment(dataDir), ...settings, ...env },
  });
  const code = await command.ended;
  return { code, said: command.said() };
}

test(
  "an operator backs up into a bucket, drills that, reads how it is, and restores it elsewhere",
  { timeout: 600_000 },
  async () => {
    const folder = temporaryFolder();
    const dataDir = join(folder, "data");
    const empty = startServer(dataDir);
    const cookie = await signUp(await addressOf(empty), "ada@example.org");
    empty.child.kill("SIGTERM");
    expect(await empty.ended).toBe(0);

    const right = await admin(dataDir, ["backup", "--drill"]);
    expect(right).toMatchObject({
      code: 0,
      said: expect.stringMatching(/Restored for a drill in \d+ s: everything is right/),
    });
    const doctor = await admin(dataDir, ["doctor"]);
    expect(doctor.said).toContain("its drill found everything right");

    const objects = await filesBelow(join(bucket.directory, "pictures/life"));
    flipBit(objects.find((path) => /pictures\/originals\/.*_object$/.test(path)) ?? "");
    const wrong = await admin(dataDir, ["backup", "--drill"]);
    expect(wrong).toMatchObject({
      code: 1,
      said: expect.stringMatching(/pictures\/originals\/.* is not what was written/),
    });
    expect(await admin(dataDir, ["backup"])).toMatchObject({
      code: 0,
      said: expect.stringContaining("Copied 1 files"),
    });

    const away = { BACKUP_DIR: "s3://pictures/life?endpoint=http://127.0.0.1:2" };
    const restored = join(folder, "restored");
    expect(await admin(restored, ["restore-backup", "s3://pictures/life"], away)).toMatchObject({
      code: 1,
      said: expect.stringContaining("can't be reached (ECONNREFUSED)"),
    });
    expect(await admin(restored, ["restore-backup", "s3://pictures/life"])).toMatchObject({
      code: 0,
      said: expect.stringContaining("Restored s3://pictures/life/"),
    });
    const there = startServer(restored);
    const profile = await fetch(`${await addressOf(there)}/profile`, { headers: { cookie } });
    expect(profile.status).toBe(200);
    there.child.kill("SIGTERM");
    expect(await there.ended).toBe(0);
    expect(await admin(restored, ["check-pictures"])).toMatchObject({ code: 0 });
  },
);
