import { expect, test } from "vitest";
import { restoreCommands } from "#server/platform/backup/restore-commands.ts";
import { claimBackup, withSession } from "#server/platform/db/dump.ts";
import { createStatus } from "#server/platform/status/status.ts";
import { writeBackupRun } from "#server/platform/status/backup-runs.queries.ts";
import { freshDatabase } from "#server/test/database.ts";

test("a backup begins when an operator asks, unless one is under way or there is no folder for it", async () => {
  const { db, connection } = await freshDatabase();
  let begun = 0;
  const statusOf = (backupDir: string | null) =>
    createStatus({
      config: { dataDir: "/srv/data", backupDir, backupBucket: null, smtpUrl: null },
      db,
      log: { error: () => {} },
      troubles: { list: async () => [] },
      sumStorage: async () => ({}),
      backUp: () => void (begun += 1),
    });
  const status = statusOf("/mnt/backups");
  expect(await statusOf(null).beginBackup()).toBe(false);
  expect(begun).toBe(0);
  expect(await status.beginBackup()).toBe(true);
  expect(begun).toBe(1);
  await withSession(connection, async (client) => {
    expect(await claimBackup(client)).toBe(true);
    expect((await status.read()).backups).toMatchObject({ isMaking: true, failure: "" });
    expect(await status.beginBackup()).toBe(false);
  });
  expect(begun).toBe(1);

  await writeBackupRun(db, "/mnt/backups", { failure: "The disk is full." });
  const { backups } = await status.read();
  expect(backups).toMatchObject({ failure: "The disk is full.", list: [], continuousDrill: null });
  expect(backups?.restore.at(-1)).toBe("DATA_DIR=/srv/data npm run restore -- /mnt/backups");
});

test("what to type to restore is quoted for a shell", () => {
  const typed = restoreCommands({
    dataDir: "/srv/my data",
    backupDir: "/mnt/it's",
    backupBucket: null,
  });
  expect(typed.slice(1)).toEqual([
    "mv '/srv/my data' '/srv/my data-before'",
    `DATA_DIR='/srv/my data' npm run restore -- '/mnt/it'\\''s'`,
  ]);
});
