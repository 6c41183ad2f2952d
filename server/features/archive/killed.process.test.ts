import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClientConfig } from "pg";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { storeSettings } from "#server/test/image-stores.ts";
import { projectRoot, startProgram } from "#server/test/processes.ts";
import { query } from "#server/test/query.ts";
import { namesIn, traceOf } from "#server/test/traces.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let connection: ClientConfig;
let on: TestFeatures;

beforeAll(async () => {
  ({ db, connection } = await freshDatabase());
  on = testFeatures(db);
});

/** Does the work in a process of its own, killed with SIGKILL after this many steps. */
async function killedAfter(steps: number, accountId = ""): Promise<boolean> {
  const program = join(projectRoot, "server/test/archive-worker.ts");
  const words = [program, JSON.stringify(connection), on.folder, accountId];
  words.push(JSON.stringify(storeSettings(on.folder)));
  const worker = startProgram([process.execPath, ...words]);
  const end = await worker.until(new RegExp(`(?:step\\n[^]*?){${steps}}|done\\n`));
  worker.child.kill("SIGKILL");
  await worker.ended;
  // Jobs of a process that stopped responding are due again half a minute later (server/platform/jobs.test.ts).
  await query(
    db,
    "update pgboss.job set state = 'retry', start_after = now() where state = 'active'",
  );
  return !end[0].includes("done");
}

async function authorOf(posts: number, name: string): Promise<Viewer> {
  const author = await on.member(name);
  const friend = await on.member("Friend");
  const { id: albumId } = await on.albums.create(author, { title: "Killed", audience: "everyone" });
  for (let nth = 1; nth <= posts; nth += 1) {
    const post = await on.photoPost(author, `post ${nth}`);
    await on.likes.like(friend, post);
    await on.comments.add(friend, post, `comment ${nth}`, null);
  }
  for (const caption of ["first", "second", "third"]) {
    const imageId = await on.upload(author);
    await on.albums.addPhoto(author, albumId, { imageId, caption, clientKey: null });
  }
  await on.follows.follow(friend, author.id);
  return author;
}

async function captionsOf(viewer: Viewer): Promise<string[]> {
  const tiles = await everyPage((cursor) => on.posts.photosOf(viewer, viewer.id, cursor));
  return tiles.map(({ caption }) => caption);
}

test(
  "exports, imports and deletions that are killed in the middle resume and finish completely",
  { timeout: 180_000 },
  async () => {
    const author = await authorOf(5, "Kim Killed");
    const { id } = await on.exports.start(author);
    expect(await killedAfter(3)).toBe(true);
    await expect(on.exports.find(author, id)).rejects.toMatchObject({ code: "not-found" });
    expect((await on.jobs.runDue()).failed).toEqual([]);
    const archive = await on.exports.find(author, id);
    expect(await namesIn(on.files, "exports/")).toEqual([`exports/${id}.zip`]);

    const reader = await on.member("Ray Reader");
    const path = join(on.folder, "brought.zip");
    await writeFile(path, archive.file.read());
    await on.imports.start(reader, { path });
    expect(await killedAfter(4)).toBe(true);
    expect((await captionsOf(reader)).length).toBeLessThan(5);
    expect((await on.jobs.runDue()).failed).toEqual([]);
    expect(await on.imports.latest(reader)).toMatchObject({ state: "done", taken: 8, known: 0 });
    expect(await captionsOf(reader)).toEqual(["post 5", "post 4", "post 3", "post 2", "post 1"]);
    const { items: albums } = await on.albums.mine(reader, null);
    expect(albums.map(({ title, photoCount }) => [title, photoCount])).toEqual([["Killed", 3]]);
    const { items: photos } = await on.albums.photos(null, albums[0]!.id, null);
    expect(photos.map(({ caption }) => caption)).toEqual(["first", "second", "third"]);

    const { keys } = await traceOf({ db, store: on.store }, author);
    await on.deletion.requestFor(author.id, 0);
    expect(await killedAfter(2, author.id)).toBe(true);
    expect(await reconcileCounters(db)).toEqual([]);
    expect(await killedAfter(6, author.id)).toBe(true);
    expect(await reconcileCounters(db)).toEqual([]);
    expect(await on.deletion.keep(author.id)).toBe(false);
    await on.deletion.deleteDue();
    expect(await traceOf({ db, store: on.store }, author, keys)).toEqual({
      tables: [],
      files: [],
      keys: [],
    });
    expect(await reconcileCounters(db)).toEqual([]);
    expect(await namesIn(on.files, "exports/")).toEqual([]);
  },
);
