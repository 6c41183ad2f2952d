import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStores } from "#server/adapters/image-store/open.ts";
import { checkImages } from "#server/features/administration/index.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { readDeletions, recordDeletions } from "#server/platform/backup/deletions.ts";
import { restoreBackup } from "#server/platform/backup/restore.ts";
import { claimDataDir } from "#server/platform/data-dir.ts";
import { createDatabase } from "#server/platform/db/database.ts";
import { withSession } from "#server/platform/db/dump.ts";
import { afterFile } from "#server/test/after-file.ts";
import { newFolder, restoreTarget, silent, sourceInstallation } from "#server/test/backups.ts";
import { imagesOnDisk } from "#server/test/image-stores.ts";
import { query } from "#server/test/query.ts";
import { filesBelow } from "#server/test/traces.ts";
import type { Viewer } from "#shared/views.ts";

type Here = Awaited<ReturnType<typeof sourceInstallation>>;

async function deleteForGood(here: Here, { id }: Viewer): Promise<void> {
  await here.deletion.requestFor(id, 0);
  await here.deletion.deleteDue();
  expect(await query(here.db, "select 1 from accounts where id = $1", [id])).toEqual([]);
}

const record = ({ connection }: Here, into: string) =>
  withSession(connection, (client) => recordDeletions(client, into));

const linesOf = (into: string) =>
  readFileSync(join(into, "deletions.jsonl"), "utf8").trimEnd().split("\n");

test("an account that was deleted for good does not come back with an older backup", async () => {
  const here = await sourceInstallation();
  const [ada, bob, eve] = (await here.members(3)) as [Viewer, Viewer, Viewer];
  const post = await here.photoPost(ada, "Goes with its author");
  const stays = await here.photoPost(bob, "Stays");
  await here.likes.like(ada, stays);
  await here.follows.follow(ada, bob.id);
  await here.likes.like(bob, post);
  const keys = await query<{ key: string }>(
    here.db,
    "select key from images where account_id = $1",
    [ada.id],
  );
  expect(keys.length).toBeGreaterThan(0);
  const into = newFolder();
  const { folder } = await here.back(into);

  await deleteForGood(here, ada);
  // asked for, but not done
  await here.deletion.requestFor(eve.id);
  await record(here, into);
  expect(linesOf(into)).toHaveLength(1);
  expect(readFileSync(join(into, "deletions.jsonl"), "utf8")).not.toContain(ada.id);

  const there = await restoreTarget();
  // Killed before they are deleted again: no server starts, and the same command goes on.
  const stopped = restoreBackup(folder, there.config, {
    ...there.options,
    deleteAgain: () => Promise.reject(new Error("killed here")),
  });
  await expect(stopped).rejects.toThrow("killed here");
  expect(() => claimDataDir(there.dataDir)).toThrow("run npm run restore again");
  expect(await there.restore(folder)).toMatchObject({ deletedAgain: 1, notes: [] });
  claimDataDir(there.dataDir).release();

  const db = createDatabase({ connection: there.connection, log: silent });
  afterFile(() => db.close());
  const accounts = await query<{ id: string }>(db, "select id from accounts order by id");
  expect(accounts.map(({ id }) => id)).toEqual([bob.id, eve.id].toSorted());
  expect(await query(db, "select 1 from posts where author_id = $1", [ada.id])).toEqual([]);
  expect(await reconcileCounters(db)).toEqual([]);
  const faults: unknown[] = [];
  const stores = openStores(there.dataDir, { kind: "disk" }, silent);
  await checkImages({ db, ...stores }, { onFault: (fault) => void faults.push(fault) });
  expect(faults, "neither missing nor without a row").toEqual([]);
  if (!imagesOnDisk()) return;
  const files = await filesBelow(there.dataDir);
  expect(files.filter((path) => keys.some(({ key }) => path.includes(key)))).toEqual([]);
});

test("the list grows by what is new, also after it was cut, and each backup into a folder brings it up to date", async () => {
  const here = await sourceInstallation();
  const [ada, bob, eve] = (await here.members(4)) as [Viewer, Viewer, Viewer];
  const into = newFolder();
  await record(here, into);
  expect(existsSync(join(into, "deletions.jsonl")), "nobody is deleted").toBe(false);
  await deleteForGood(here, ada);
  await here.back(into);
  const [first = ""] = linesOf(into);
  await record(here, into);
  expect(linesOf(into)).toEqual([first]);

  // A line that was written while a clock was ahead hides nothing that comes later.
  const ahead = JSON.stringify({ account: "a".repeat(64), at: "2999-01-01T00:00:00.000Z" });
  writeFileSync(join(into, "deletions.jsonl"), `${first}\n${ahead}\n`);
  await deleteForGood(here, bob);
  await record(here, into);
  expect(linesOf(into)).toHaveLength(3);

  // Its writer was killed in the middle of a line.
  appendFileSync(join(into, "deletions.jsonl"), '{"account":"0123');
  await deleteForGood(here, eve);
  await record(here, into);
  const { accounts, unreadable } = await readDeletions(into);
  expect({ known: accounts.size, unreadable }).toEqual({ known: 4, unreadable: 1 });

  // A folder of its own gets the whole list.
  const own = newFolder();
  await here.back(own);
  expect((await readDeletions(own)).accounts.size).toBe(3);

  // What cannot be read is told.
  const there = await restoreTarget();
  const restored = await there.restore(into);
  expect(restored.notes).toEqual([expect.stringContaining("1 lines of")]);
});
