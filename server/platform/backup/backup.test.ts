import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { openStores } from "#server/adapters/image-store/open.ts";
import { restoreBackup } from "#server/platform/backup/restore.ts";
import { claimDataDir } from "#server/platform/data-dir.ts";
import { createDatabase } from "#server/platform/db/database.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { checkImages } from "#server/features/administration/index.ts";
import { afterFile } from "#server/test/after-file.ts";
import { restoreTarget, newFolder, silent, sourceInstallation } from "#server/test/backups.ts";
import { imagesOnDisk } from "#server/test/image-stores.ts";
import { query } from "#server/test/query.ts";
import { until } from "#server/test/until.ts";
import { filesBelow } from "#server/test/traces.ts";

const openedDatabase = (connection: Parameters<typeof createDatabase>[0]["connection"]) => {
  const db = createDatabase({ connection, log: { warn: () => {}, error: console.error } });
  afterFile(() => db.close());
  return db;
};

const namesOf = (folder: string) => readdirSync(folder).filter((name) => !name.startsWith("."));

test("what was acknowledged before a backup's moment is there when it is restored, under writes, by an ordinary role", async () => {
  const here = await sourceInstallation();
  const ada = await here.member("Ada Lovelace");
  const bob = await here.member("Bob Moore");
  await here.photoPost(ada, "Before everything", ["A harbour"]);

  // They post, like and delete until the backup is done.
  let newest = 0;
  const acknowledged: { id: string; at: number }[] = [];
  const deleted: { id: string; at: number }[] = [];
  const state = { done: false };
  const write = async () => {
    while (!state.done) {
      const post = await here.photoPost(ada, "Under way");
      newest = Date.now();
      acknowledged.push({ id: post.postId, at: newest });
      await here.likes.like(bob, post);
      const gone = await here.photoPost(bob, "For a moment");
      await here.posts.remove(bob, bob.username, gone.number);
      deleted.push({ id: gone.postId, at: Date.now() });
    }
  };
  const writing = write();
  await until(() => acknowledged.length >= 3);
  const into = newFolder();
  const taken = await here.back(into);
  await until(() => newest > Date.parse(taken.manifest.takenAt));
  state.done = true;
  await writing;
  expect(taken.faulty).toEqual([]);
  expect(taken.name).toBe(`${taken.manifest.takenAt.slice(0, 19).replaceAll(":", "-")}Z`);

  const there = await restoreTarget();
  expect(await there.restore(into)).toMatchObject({ skipped: [], unknown: [] });
  const db = openedDatabase(there.connection);
  const posts = new Set(
    (await query<{ id: string }>(db, "select id from posts")).map(({ id }) => id),
  );
  const moment = Date.parse(taken.manifest.takenAt);
  const due = acknowledged.filter(({ at }) => at < moment);
  expect(due.length).toBeGreaterThanOrEqual(3);
  expect(due.filter(({ id }) => !posts.has(id))).toEqual([]);
  expect(deleted.filter(({ id, at }) => at < moment && posts.has(id))).toEqual([]);
  expect(await reconcileCounters(db)).toEqual([]);

  const stores = openStores(there.dataDir, { kind: "disk" }, silent);
  const faults: unknown[] = [];
  const checked = await checkImages(
    { db, ...stores },
    { onFault: (fault) => void faults.push(fault) },
  );
  expect({ checked, faults }).toEqual({ checked: taken.manifest.pictures.count, faults: [] });

  // every foreign key, trigger and index is as it was made
  const shape = `select conrelid::regclass::text as t, conname, pg_get_constraintdef(oid) as d from pg_constraint
    where connamespace = 'public'::regnamespace
    union all select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger
      -- those of the tests (owners-written.ts) stay where they are
      where not tgisinternal and tgname !~ '^owners_'
    union all select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
    order by 1, 2, 3`;
  expect(await query(db, shape)).toEqual(await query(here.db, shape));
  // and the secrets match
  expect(readFileSync(join(there.dataDir, "secrets.json"))).toEqual(
    readFileSync(here.source.secretsFile),
  );
});

test("only their owner may read its files, which equal those of the store", async () => {
  const here = await sourceInstallation();
  await here.photoPost(await here.member());
  const into = join(newFolder(), "backups");
  const { folder } = await here.back(into);
  const files = await filesBelow(into);
  for (const file of files) expect(statSync(file).mode & 0o777, file).toBe(0o600);
  for (const one of [into, folder, join(into, "pictures"), join(folder, "database")]) {
    expect(statSync(one).mode & 0o777, one).toBe(0o700);
  }
  expect(namesOf(into).toSorted()).toEqual([expect.stringMatching(/^20/), "pictures"]);
  if (!imagesOnDisk()) return;
  for (const area of ["images", "originals"]) {
    for (const file of await filesBelow(join(here.folder, area))) {
      const copy = join(into, "pictures", file.slice(here.folder.length));
      expect(readFileSync(copy).equals(readFileSync(file)), copy).toBe(true);
    }
  }
});

test("a later backup copies what is new, and earlier copies that were lost", async () => {
  const here = await sourceInstallation();
  const ada = await here.member();
  await here.photoPost(ada);
  const into = newFolder();
  const first = await here.back(into);
  expect(first.images.copied).toBe(first.images.files);
  expect((await here.back(into)).images).toMatchObject({
    copied: 0,
    files: first.images.files,
  });

  // if several servers find a backup due in the same minute, one takes it
  const dueSince = new Date(first.manifest.takenAt);
  await expect(here.back(into, { dueSince })).rejects.toThrow("has a backup of this time already");

  await here.photoPost(ada);
  const third = await here.back(into);
  expect(third.images.copied).toBe(third.images.files - first.images.files);

  const [lost = ""] = await filesBelow(join(into, "pictures", "originals"));
  await rm(lost);
  expect((await here.back(into)).images.copied).toBe(1);
  expect(existsSync(lost)).toBe(true);
});

/** A store that does something before it opens an original: the first time, the second, and so on. */
function meddling(
  store: ImageStore,
  meddle: (key: string, time: number) => Promise<boolean>,
): ImageStore {
  const times = new Map<string, number>();
  return {
    ...store,
    openOriginal: async (key) => {
      const time = (times.get(key) ?? 0) + 1;
      times.set(key, time);
      return (await meddle(key, time)) ? store.openOriginal(key) : null;
    },
  };
}

test("an image that is deleted between the snapshot and its copy is not in the backup at all", async () => {
  const here = await sourceInstallation();
  const ada = await here.member();
  const stays = await here.photoPost(ada, "stays");
  const goes = await here.photoPost(ada, "goes");
  const [image] = await query<{ key: string }>(
    here.db,
    `select i.key from post_pictures p join images i on i.id = p.image_id where p.post_id = $1`,
    [goes.postId],
  );
  // First it is being uploaded, like an image that arrives while the others are copied.
  const store = meddling(here.store, async (key, time) => {
    if (key !== image?.key) return true;
    if (time === 2) await here.posts.remove(ada, ada.username, goes.number);
    return false;
  });
  const into = newFolder();
  here.source.stores = { ...here, store };
  const taken = await here.back(into);
  expect(taken.faulty).toEqual([]);
  const there = await restoreTarget();
  await there.restore(into);
  const db = openedDatabase(there.connection);
  expect(await query(db, "select id from posts")).toEqual([{ id: stays.postId }]);
});

test("an image whose file is lost is reported, and does not prevent a backup", async () => {
  const here = await sourceInstallation();
  await here.photoPost(await here.member());
  const [lost] = await query<{ key: string }>(
    here.db,
    "select key from images order by id limit 1",
  );
  here.source.stores = { ...here, store: meddling(here.store, async (key) => key !== lost?.key) };
  const into = newFolder();
  const taken = await here.back(into);
  expect(taken.faulty).toMatchObject([{ key: lost?.key, missing: ["original"] }]);
  expect(taken.manifest.pictures.missing).toBe(1);
  const there = await restoreTarget();
  expect(await there.restore(into)).toMatchObject({ skipped: [lost?.key] });
});

test("a second backup at the same time says so, and one that is stopped leaves its copies for the next", async () => {
  const here = await sourceInstallation();
  await here.photoPost(await here.member());
  const { store } = here;
  const into = newFolder();
  const stop = new AbortController();
  const said: unknown[] = [];
  here.source.stores = {
    ...here,
    store: meddling(store, async () => {
      if (!stop.signal.aborted) said.push(await here.back(newFolder()).catch((error) => error));
      stop.abort();
      return true;
    }),
  };
  await expect(here.back(into, { signal: stop.signal })).rejects.toThrow("The backup was stopped");
  expect(String(said[0])).toContain("Another backup of this Postcard is under way");
  expect(namesOf(into)).toEqual(["pictures"]);
  await expect((await restoreTarget()).restore(into)).rejects.toThrow("There is no backup in");

  here.source.stores = here;
  const taken = await here.back(into);
  expect(taken.images).toMatchObject({ copied: 0 });
  expect(taken.images.files).toBeGreaterThan(0);
  // and the draft of the one before is gone
  expect(readdirSync(into).filter((name) => name.startsWith(".draft"))).toEqual([]);
});

test("a full disk, a database that goes away and a path that is no folder each give one sentence and leave no backup", async () => {
  const here = await sourceInstallation();
  await here.photoPost(await here.member());
  const into = newFolder();
  const refusedWith = async (sentence: RegExp, options?: Parameters<typeof here.back>[1]) => {
    await expect(here.back(into, options)).rejects.toThrow(sentence);
    expect(namesOf(into).filter((name) => name !== "pictures")).toEqual([]);
  };
  await refusedWith(/has no room for a backup: it may need/, { freeBytes: async () => 1_000_000 });
  let looks = 0;
  const filling = async () => (looks++ < 3 ? 10 ** 12 : 0);
  await refusedWith(/is full: make room and back up again/, { freeBytes: filling });

  const { store } = here;
  let cut = false;
  here.source.stores = {
    ...here,
    store: meddling(store, async (_key, time) => {
      // in the pass that runs in the snapshot
      if (time === 1) return false;
      if (!cut) {
        cut = true;
        const others = `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and state = 'idle in transaction'`;
        await query(here.db, others);
      }
      return true;
    }),
  };
  const later = newFolder();
  await expect(here.back(later)).rejects.toThrow(/The database went away/);
  expect(namesOf(later)).toEqual(["pictures"]);
  expect(cut).toBe(true);
  here.source.stores = here;

  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  await expect(here.back(join(file, "below"))).rejects.toThrow(/cannot be written to \(ENOTDIR\)/);
  here.source.secretsFile += ".lost";
  await refusedWith(/is missing, and no backup is whole without the secrets/);
});

test("a folder holds the backups of one installation", async () => {
  const [here, other] = [await sourceInstallation(), await sourceInstallation()];
  const into = newFolder();
  await here.back(into);
  await expect(other.back(into)).rejects.toThrow("holds backups of another Postcard");
});

test("a restore needs an empty target, and continues after it was stopped", async () => {
  const here = await sourceInstallation();
  await here.photoPost(await here.member());
  const into = newFolder();
  const { folder } = await here.back(into);

  const used = await restoreTarget();
  cpSync(here.source.secretsFile, join(used.dataDir, "kept.txt"), { recursive: true });
  await expect(used.restore(into)).rejects.toThrow(/is not empty: restore into an empty folder/);

  const filled = await restoreTarget();
  await query(openedDatabase(filled.connection), "create table notes (words text)");
  await expect(filled.restore(into)).rejects.toThrow("The database is not empty");
  expect(existsSync(filled.dataDir)).toBe(false);

  const known = await restoreTarget();
  known.config.secretsFile = join(newFolder(), "secrets.json");
  writeFileSync(known.config.secretsFile, "{}");
  await expect(known.restore(into)).rejects.toThrow("holds other secrets than the backup");

  // Stopped, it has done half: no server starts there, another backup is refused, and it continues.
  const there = await restoreTarget();
  const other = await sourceInstallation();
  const otherInto = newFolder();
  await other.back(otherInto);
  const stop = new AbortController();
  const stopped = restoreBackup(folder, there.config, {
    ...there.options,
    signal: stop.signal,
    onProgress: ({ step }) => {
      if (step === "rows") stop.abort();
    },
  });
  await expect(stopped).rejects.toThrow("The restore was stopped; the same command goes on");
  expect(() => claimDataDir(there.dataDir)).toThrow("run npm run restore again");
  await expect(there.restore(otherInto)).rejects.toThrow("which holds half of another backup");
  await there.restore(folder);
  claimDataDir(there.dataDir).release();
  const rows = await query(openedDatabase(there.connection), "select id from posts");
  expect(rows).toHaveLength(1);
});

test("no table has a sequence, whose value a backup would have to store", async () => {
  const { db } = await sourceInstallation();
  const sequences = `select schemaname, sequencename from pg_sequences where schemaname in ('public', 'pgboss')`;
  expect(await query(db, sequences)).toEqual([]);
});
