import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { EventEmitter } from "node:events";
import type { ChildProcess } from "node:child_process";
import { afterEach, expect, test, vi } from "vitest";
import { checkBackups } from "#server/platform/admin/doctor/backups.ts";
import { imageTables } from "#server/features/image-tables.ts";
import { limits } from "#shared/limits.ts";
import { selectRetained, removeExpired } from "#server/platform/backup/retention.ts";
import type { KnownBackup } from "#server/platform/backup/manifest.ts";
import { nameOf } from "#server/platform/backup/names.ts";
import { dueCode, isDue, lastDueTime, scheduleBackups } from "#server/platform/backup/schedule.ts";
import { inspectFolder, type FolderInspection } from "#server/platform/backup/inspect-folder.ts";
import { claimBackup, withSession } from "#server/platform/db/dump.ts";
import { newFolder, rewriteManifest, sourceInstallation } from "#server/test/backups.ts";
import { urlOf } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";
import { filesBelow } from "#server/test/traces.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** A backup at noon of a day in November 2026, by the clock of this machine. */
const at = (day: number, passed = false, hour = 12) =>
  ({
    manifest: { takenAt: new Date(2026, 10, day, hour).toISOString() },
    drill: passed ? { faults: [] } : null,
  }) as unknown as KnownBackup;

const daysOf = (backups: Iterable<KnownBackup>) =>
  [...backups]
    .map(({ manifest }) => new Date(manifest.takenAt).getDate())
    .toSorted((one, other) => one - other);

test("the newest backups of seven days and four weeks stay, and the newest that passed its drill", () => {
  // 2026-11-02 is a Monday.
  const every = Array.from({ length: 29 }, (_, day) => at(day + 2));
  expect(daysOf(selectRetained(every))).toEqual([15, 22, 24, 25, 26, 27, 28, 29, 30]);
  const passed = every.with(3, at(5, true));
  expect(daysOf(selectRetained(passed))).toEqual([5, 15, 22, 24, 25, 26, 27, 28, 29, 30]);
  // days without one do not count
  expect(daysOf(selectRetained([at(2), at(3), at(20), at(29)]))).toEqual([2, 3, 20, 29]);
  const evening = at(29, false, 20);
  expect([...selectRetained([at(29), evening])]).toEqual([evening]);
});

test("with one a day that passes, none is older than members are told", () => {
  const days = Array.from({ length: 70 }, (_, day) => at(day + 1, true));
  for (const [index, today] of days.entries()) {
    const stay = selectRetained(days.slice(0, index + 1));
    const ages = [...stay].map(
      ({ manifest }) => Date.parse(today.manifest.takenAt) - Date.parse(manifest.takenAt),
    );
    // The next one is taken, and this one removed, a day later.
    expect(Math.max(...ages) / 86_400_000).toBeLessThanOrEqual(limits.backupDays - 1);
  }
});

test("removes only files that this product made, and no image that a backup names", async () => {
  const here = await sourceInstallation();
  const ada = await here.member();
  await here.photoPost(ada, "stays");
  const goes = await here.photoPost(ada, "goes");
  const [image] = await query<{ key: string }>(
    here.db,
    "select i.key from post_pictures p join images i on i.id = p.image_id where p.post_id = $1",
    [goes.postId],
  );
  const into = newFolder();
  const old = await here.back(into);
  await here.posts.remove(ada, ada.username, goes.number);
  const late = await here.back(into);
  // other files in the folder, and a file that somebody put into a backup
  mkdirSync(join(into, "holiday"));
  writeFileSync(join(into, "holiday", "photo.jpg"), "mine");
  writeFileSync(join(old.folder, "note.txt"), "mine");
  const before = await filesBelow(join(into, "pictures"));
  const ofImage = before.filter((path) => path.includes(image?.key ?? "none"));
  expect(ofImage.length).toBeGreaterThan(1);

  expect(await removeExpired(into, imageTables)).toEqual([old.name]);
  expect(await readdir(old.folder)).toEqual(["note.txt"]);
  expect(existsSync(join(into, "holiday", "photo.jpg"))).toBe(true);
  const after = await filesBelow(join(into, "pictures"));
  expect(after.toSorted()).toEqual(before.filter((path) => !ofImage.includes(path)).toSorted());

  // one that cannot be read may name any image
  rewriteManifest(late.folder, () => ({}));
  const third = await here.back(into);
  await here.back(into);
  await rm(join(third.folder, "drill.json"), { force: true });
  expect(await removeExpired(into, imageTables)).toEqual([third.name]);
  expect((await filesBelow(join(into, "pictures"))).toSorted()).toEqual(after.toSorted());
});

test("the doctor says how old the newest one is, and what its drill found", async () => {
  const here = await sourceInstallation();
  await here.member();
  const backupDir = newFolder();
  const now = new Date();
  const minutes = now.getHours() * 60 + now.getMinutes();
  let look: () => Promise<FolderInspection | null> = () => inspectFolder(backupDir, null);
  const found = async (at = now) =>
    (await checkBackups({ backupDir, backupAt: minutes }, at, look))[0];
  expect((await checkBackups({ backupDir: null, backupAt: 0 }))[0]?.state).toBe("note");
  expect(await found()).toMatchObject({ state: "problem", text: expect.stringContaining("none") });
  const { folder } = await here.back(backupDir);
  expect(await found()).toMatchObject({ state: "note" });
  const verdict = {
    at: now.toISOString(),
    faults: [] as string[],
    rows: 1,
    pictures: 1,
    seconds: 1,
  };
  const keep = () => writeFileSync(join(folder, "drill.json"), JSON.stringify(verdict));
  keep();
  expect(await found()).toMatchObject({ state: "ok" });
  Object.assign(verdict, { coverage: { read: 12, of: 28, restoredAt: now.toISOString() } });
  keep();
  const parts = /12 of 28 within a month\. It was last restored as a whole on 20/;
  expect(await found()).toMatchObject({ state: "ok", text: expect.stringMatching(parts) });
  verdict.faults.push("likes came back with other rows");
  keep();
  const told = { state: "problem", text: expect.stringContaining("likes came back") };
  expect(await found()).toMatchObject(told);
  const late = new Date(now.getTime() + 3 * 86_400_000);
  expect(await found(late)).toMatchObject({ text: expect.stringContaining("too long ago") });
  look = async () => null;
  const silent = { state: "problem", text: expect.stringContaining("folder does not answer.") };
  expect(await found()).toMatchObject(silent);
});

test("for the doctor a first backup in progress is no problem, and the remains of a failed one are", async () => {
  const { connection, source } = await sourceInstallation();
  const backupDir = newFolder();
  mkdirSync(join(backupDir, ".draft-abc"));
  vi.stubEnv("BACKUP_DIR", backupDir);
  vi.stubEnv("DATA_DIR", source.dataDir);
  vi.stubEnv("DATABASE_URL", urlOf(connection));
  const found = async () => (await checkBackups({ backupDir, backupAt: 0 }))[0];
  await withSession(connection, async (client) => {
    expect(await claimBackup(client)).toBe(true);
    expect(await found()).toEqual({
      state: "note",
      about: "Backups",
      text: "The first backup is being made.",
    });
  });
  expect(await found()).toMatchObject({ state: "problem" });
});

test("a backup is due once a day at its time, and one that was missed is made up for", async () => {
  const time = 3 * 60 + 30;
  const now = new Date(2026, 10, 23, 12);
  expect(lastDueTime(time, now)).toEqual(new Date(2026, 10, 23, 3, 30));
  expect(lastDueTime(time, new Date(2026, 10, 23, 3, 29))).toEqual(new Date(2026, 10, 22, 3, 30));
  const into = newFolder();
  expect(await isDue(into, time, now)).toBe(true);
  mkdirSync(join(into, nameOf(new Date(2026, 10, 23, 3, 29))));
  mkdirSync(join(into, ".draft-x"));
  expect(await isDue(into, time, now)).toBe(true);
  mkdirSync(join(into, nameOf(new Date(2026, 10, 23, 3, 31))));
  expect(await isDue(into, time, now)).toBe(false);
  expect(await isDue(into, time, new Date(2026, 10, 24, 3, 29))).toBe(false);
  expect(await isDue(into, time, new Date(2026, 10, 24, 3, 30))).toBe(true);
});

/** A process that a test ends. */
const made = () =>
  Object.assign(new EventEmitter(), { exitCode: null as number | null, kill: vi.fn() });
const asChild = (one: EventEmitter) => one as unknown as ChildProcess;

test("backups are started one at a time, and again an hour after one failed", async () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 23, 12) });
  const minute = 60_000;
  const started: ReturnType<typeof made>[] = [];
  const stop = scheduleBackups({
    config: { backupDir: newFolder() },
    log: { error: () => undefined },
    look: () => {
      const child = made();
      queueMicrotask(() => child.emit("exit", dueCode));
      return asChild(child);
    },
    start: () => {
      const child = made();
      started.push(child);
      return asChild(child);
    },
  });
  await vi.advanceTimersByTimeAsync(10 * minute);
  expect(started).toHaveLength(1);
  started[0]?.emit("exit", 1);
  await vi.advanceTimersByTimeAsync(55 * minute);
  expect(started).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10 * minute);
  expect(started).toHaveLength(2);
  // stopped with the server
  const stopped = stop();
  expect(started[1]?.kill).toHaveBeenCalledWith("SIGTERM");
  started[1]?.emit("exit", 1);
  await stopped;
});

test("an inspection that hangs is the only one until it ends, is reported once, and delays no stop", async () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 23, 12) });
  const minute = 60_000;
  const looks: ReturnType<typeof made>[] = [];
  const told: unknown[] = [];
  const stop = scheduleBackups({
    config: { backupDir: newFolder() },
    log: { error: (_about: object, text?: string) => void told.push(text) },
    look: () => {
      const child = made();
      looks.push(child);
      return asChild(child);
    },
    start: () => asChild(made()),
  });
  await vi.advanceTimersByTimeAsync(60 * minute);
  expect(looks).toHaveLength(1);
  expect(looks[0]?.kill).toHaveBeenCalledWith("SIGKILL");
  expect(told).toEqual(["the backup folder does not answer"]);
  // the disk answers, and the inspection ends by the signal it got long ago
  looks[0]?.emit("exit", null);
  await vi.advanceTimersByTimeAsync(5 * minute);
  expect(looks).toHaveLength(2);
  await stop();
  expect(looks[1]?.kill).toHaveBeenCalledWith("SIGKILL");
});
