import { hostname } from "node:os";
import { beforeEach, describe, expect, test } from "vitest";
import { describeIn } from "#server/features/talk/index.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { DiskSpace } from "#server/platform/disk-space.ts";
import { writeBackupRun } from "#server/platform/status/backup-runs.queries.ts";
import { createMonitor } from "#server/platform/status/monitor.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { emailsIn } from "#server/test/mailbox.ts";
import { query } from "#server/test/query.ts";
import { notificationPath } from "#shared/notifications.ts";
import type { Viewer } from "#shared/views.ts";

const hourMs = 60 * 60_000;
const gigabyte = 1_000_000_000;
const plenty: DiskSpace = { free: 50 * gigabyte, size: 100 * gigabyte };
/** Noon by the clock of this machine: backups are due at 3:30. */
const noon = new Date(2026, 10, 25, 12);

let db: Database;
let on: TestFeatures;
let ada: Viewer;
let room: DiskSpace;
let now: Date;

const watch = (backupDir: string | null = null) =>
  createMonitor({
    config: { dataDir: "/data", backupDir, backupAt: 3 * 60 + 30 },
    db,
    troubles: on.troubles,
    room: async () => room,
    now: () => now,
  });

/** The texts of a member's notifications, the newest first. */
async function notificationsOf(viewer: Viewer): Promise<string[]> {
  const { items } = await on.notifications.list(viewer, "all", null);
  return items.map((view) => `${describeIn("en", view)}: ${view.text}`);
}

async function emails() {
  await on.jobs.runDue();
  return emailsIn(on.files);
}

type Lying = { takenAt: number; drill?: { at: number; faults: string[] } };

/** Records the result of an inspection, the newest backup first. */
const lies = (path: string, ...backups: Lying[]) =>
  query(
    db,
    `insert into backup_folders (path, look_began_at, looked_at, backups) values ($1, now(), now(), $2)
     on conflict (path) do update set backups = excluded.backups`,
    [path, JSON.stringify(backups.map((one) => ({ drill: null, ...one })))],
  );

const aDayPasses = () =>
  query(
    db,
    "update troubles set told_at = told_at - interval '1 day', began_at = began_at - interval '1 day'",
  );

beforeEach(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  ada = await on.member("Ada Operator");
  await on.administration.setRole(ada.id, "operator");
  room = plenty;
  now = noon;
});

describe("a disk with less than 10 % free", () => {
  test("is reported to every operator, and to nobody else, once: in the product and by email", async () => {
    const [mo, bob] = [await on.member("Mo Derator"), await on.member("Bob Member")];
    await on.administration.setRole(mo.id, "moderator");
    room = { free: 9 * gigabyte, size: 100 * gigabyte };
    for (let turn = 0; turn < 3; turn += 1) await watch().look();

    const said =
      "The disk of /data has 9 GB of 100 GB free (9 %). Make room or add a disk: below 536.8 MB photos and backups are refused.";
    expect(await notificationsOf(ada)).toEqual([`The server needs your attention: ${said}`]);
    const { items } = await on.notifications.list(ada, "all", null);
    expect(items.map(notificationPath)).toEqual(["/operator"]);
    expect([await notificationsOf(mo), await notificationsOf(bob)]).toEqual([[], []]);
    const sent = await emails();
    expect(sent.map(({ to, subject }) => [to?.[0]?.address, subject])).toEqual([
      [ada.email, "Postcard: A disk is almost full"],
    ]);
    expect(sent[0]?.text).toContain(said);
    expect(sent[0]?.text).toContain("/operator");
    expect(await on.troubles.list()).toMatchObject([{ said }]);
  });

  test("is reported by one of several servers that notice it at the same time", async () => {
    room = { free: gigabyte, size: 100 * gigabyte };
    await Promise.all([1, 2, 3, 4].map(() => watch().look()));
    expect(await notificationsOf(ada)).toHaveLength(1);
    expect(await emails()).toHaveLength(1);
  });

  test("is reported again after a day if it lasts, and once when there is space again", async () => {
    room = { free: 9 * gigabyte, size: 100 * gigabyte };
    await watch().look();
    await aDayPasses();
    room = { free: 5 * gigabyte, size: 100 * gigabyte };
    await watch().look();
    await watch().look();
    expect(await notificationsOf(ada), "what is unread is gathered").toEqual([
      expect.stringContaining("has 5 GB of 100 GB free"),
    ]);
    expect(await emails()).toHaveLength(2);

    // A little more does not end it: otherwise it would come and go.
    room = { free: 11 * gigabyte, size: 100 * gigabyte };
    await watch().look();
    expect(await notificationsOf(ada)).toHaveLength(1);
    room = { free: 40 * gigabyte, size: 100 * gigabyte };
    await watch().look();
    await watch().look();
    expect(await notificationsOf(ada)).toEqual([
      "The server is fine again: The disk of /data has 40 GB of 100 GB free (40 %) again.",
      expect.stringContaining("The server needs your attention"),
    ]);
    expect(await emails()).toHaveLength(3);
    expect(await on.troubles.list()).toEqual([]);

    // The next time is another trouble.
    room = { free: 2 * gigabyte, size: 100 * gigabyte };
    await watch().look();
    expect(await notificationsOf(ada)).toHaveLength(3);
  });

  test("of a server that is gone is not shown forever", async () => {
    await on.troubles.report({ kind: "disk", place: "gone:/data", wrong: "Full." });
    await watch().look();
    expect(await on.troubles.list()).toHaveLength(1);
    await query(db, "update troubles set seen_at = now() - interval '2 hours'");
    await watch().look();
    expect(await on.troubles.list()).toEqual([]);
    expect(await notificationsOf(ada)).toHaveLength(1);
    expect(hostname()).not.toBe("gone");
  });

  test("of the backups is reported as their last run saw it", async () => {
    await lies("/backups", { takenAt: noon.getTime() - hourMs });
    await writeBackupRun(db, "/backups", { room: { free: 3 * gigabyte, size: 100 * gigabyte } });
    await watch("/backups").look();
    expect(await notificationsOf(ada)).toEqual([
      expect.stringContaining("The disk of /backups has 3 GB of 100 GB free"),
    ]);
  });
});

test("a folder of backups that does not answer is reported", async () => {
  await query(
    db,
    "insert into backup_folders (path, look_began_at) values ('/backups', now() - interval '1 minute')",
  );
  await watch("/backups").look();
  expect(await notificationsOf(ada)).toEqual([
    expect.stringContaining(
      "No backup can be taken into /backups: The backup folder does not answer.",
    ),
  ]);
});

describe("a backup", () => {
  const backups = "/backups";

  test("that is being taken for the first time is no trouble; one that is never taken is", async () => {
    await watch(backups).look();
    now = new Date(noon.getTime() + 3 * hourMs);
    await watch(backups).look();
    expect(await notificationsOf(ada)).toEqual([]);
    // Known since yesterday, due this morning, and more than six hours late.
    await query(db, "update backup_runs set known_since = $1", [
      new Date(noon.getTime() - 30 * hourMs),
    ]);
    await watch(backups).look();
    expect(await notificationsOf(ada)).toEqual([
      expect.stringMatching(
        /A backup into \/backups was due on .* There is none yet\. .*npm run backup/,
      ),
    ]);
  });

  test("that failed is reported with its reason, and so is the next one that succeeds", async () => {
    await lies(backups, { takenAt: noon.getTime() - 24 * hourMs });
    await watch(backups).look();
    expect(await notificationsOf(ada)).toEqual([]);
    await writeBackupRun(db, backups, { failure: "BACKUP_DIR is /backups, but nothing is there." });
    await watch(backups).look();
    expect(await notificationsOf(ada)).toEqual([
      expect.stringMatching(
        /No backup was taken: BACKUP_DIR is \/backups, but nothing is there\. The newest one is of/,
      ),
    ]);
    await lies(backups, { takenAt: noon.getTime() });
    await writeBackupRun(db, backups, { failure: "" });
    await watch(backups).look();
    expect((await notificationsOf(ada))[0]).toMatch(
      /^The server is fine again: A backup was taken on/,
    );
    expect(await emails()).toHaveLength(2);
  });

  test("that is overdue, though none failed, is reported", async () => {
    await query(db, "insert into backup_runs (folder, known_since) values ($1, $2)", [
      backups,
      new Date(noon.getTime() - 60 * hourMs),
    ]);
    await lies(backups, { takenAt: noon.getTime() - 40 * hourMs });
    await watch(backups).look();
    expect(await notificationsOf(ada)).toEqual([
      expect.stringMatching(/was due on .* The newest one is of 2026-11-23/),
    ]);
  });

  test("is reported with what its drill found, and so is an overdue drill", async () => {
    const takenAt = noon.getTime() - hourMs;
    const fault = "posts came back with 3 rows of 4";
    await lies(backups, { takenAt, drill: { at: noon.getTime(), faults: [fault] } });
    await watch(backups).look();
    expect(await notificationsOf(ada)).toEqual([
      expect.stringContaining("isn't right: posts came back with 3 rows of 4."),
    ]);
    await lies(backups, { takenAt, drill: { at: noon.getTime(), faults: [] } });
    await watch(backups).look();
    expect((await notificationsOf(ada))[0]).toContain("The server is fine again");
    now = new Date(noon.getTime() + 80 * hourMs);
    await lies(
      backups,
      { takenAt: now.getTime() },
      { takenAt, drill: { at: noon.getTime(), faults: [] } },
    );
    await watch(backups).look();
    expect((await notificationsOf(ada))[0]).toContain("No backup was restored for a drill since");
  });

  test("that found corrupt images in the server's store names them", async () => {
    await lies(backups, { takenAt: noon.getTime() - hourMs });
    await writeBackupRun(db, backups, {
      rotten: ["originals/ab/one", "images/ab/one/640.webp", "originals/cd/two", "originals/ef/x"],
    });
    await watch(backups).look();
    expect(await notificationsOf(ada)).toEqual([
      expect.stringContaining(
        "originals/ab/one, images/ab/one/640.webp, originals/cd/two and 1 more.",
      ),
    ]);
  });
});
