import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkInstallation } from "#server/platform/admin/doctor/doctor.ts";
import { checks } from "#server/commands/doctor.ts";
import { readConfig } from "#server/config.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { repairCounters } from "#server/features/counters.queries.ts";
import type { Installation } from "#server/installation.ts";
import { afterFile } from "#server/test/after-file.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures } from "#server/test/factories.ts";
import { imagesOnDisk } from "#server/test/image-stores.ts";
import { openPushService } from "#server/test/push-service.ts";
import { query } from "#server/test/query.ts";

const { db } = await freshDatabase();
const on = testFeatures(db);
const folder = mkdtempSync(join(tmpdir(), "postcard-doctor-"));
afterFile(() => rmSync(folder, { recursive: true, force: true }));

const config = readConfig({ DATA_DIR: folder });
const installation = {
  ...on,
  db,
  config,
  features: { push: on.push },
} as unknown as Installation;
const look = async (fix = false) =>
  (await checkInstallation(checks, installation, fix)).filter(({ state }) => state !== "ok");

test("finds nothing in an installation that is in order", async () => {
  const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
  const post = await on.photoPost(ada, "One");
  await on.follows.follow(bob, ada.id);
  await on.likes.like(bob, post);
  expect(await look()).toEqual([]);
  const all = await checkInstallation(checks, installation, false);
  expect(all.map(({ about }) => about)).toEqual([
    "Database",
    "Clock",
    "Counters",
    "Pictures",
    "Jobs",
  ]);
});

test("finds wrong counters, and corrects every kind of them", async () => {
  const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
  const post = await on.photoPost(ada, "One");
  const { id: commentId } = await on.comments.add(bob, post, "Nice", null);
  await on.comments.add(ada, post, "Thank you", null, commentId);
  await on.follows.follow(bob, ada.id);
  await on.likes.like(bob, post);
  await on.bookmarks.save(bob, post);
  const album = await on.albums.create(ada, { title: "Summer" });
  const address = ada.username;
  for (const name of ["Two", "Three"]) {
    const { number } = await on.photoPost(ada, name);
    await on.albums.putPost(ada, album.id, { address, number });
  }
  const imageId = await on.upload(ada);
  await on.albums.addPhoto(ada, album.id, { imageId, clientKey: null });
  const damage = [
    "update account_counters set posts = posts + 1, last_post_number = last_post_number + 1",
    "update account_counters set followers = followers + 3, following = following + 2, photos = photos + 1",
    "update posts set like_count = like_count + 5, comment_count = comment_count + 1",
    "update comments set reply_count = reply_count + 1, like_count = 7",
    "update account_storage set bytes = bytes + 1",
    `delete from followers where follower_id = '${bob.id}'`,
    "update album_counts set items = items + 4 where audience = 'everyone'",
    "delete from album_counts where audience = 'album'",
    `insert into bookmarks (account_id, author_id, post_id, id, has_picture)
      select '${bob.id}', author_id, gen_random_uuid(), gen_random_uuid(), false from posts limit 1`,
  ];
  for (const statement of damage) await query(db, statement);
  expect(
    new Set((await reconcileCounters(db)).map(({ counter }) => counter.split(".")[0])),
  ).toEqual(
    new Set([
      "account_counters",
      "account_storage",
      "album_counts",
      "bookmarks",
      "comments",
      "follows",
      "posts",
    ]),
  );
  expect(await look()).toEqual([expect.objectContaining({ state: "problem", about: "Counters" })]);
  expect(await look(true)).toEqual([
    expect.objectContaining({ state: "fixed", about: "Counters" }),
  ]);
  expect(await reconcileCounters(db)).toEqual([]);
  const counters = "select posts, photos, followers from account_counters where account_id = $1";
  expect(await query(db, counters, [ada.id])).toEqual([{ posts: 4, photos: 4, followers: 1 }]);
  expect((await on.albums.get(ada, album.id)).photoCount).toBe(3);
});

test("repairs counters while members like, follow and fill an album, and counts each act once", async () => {
  const author = await on.member("Author");
  const post = await on.textPost(author, "Busy");
  const { id: albumId } = await on.albums.create(author, { title: "Busy" });
  const { number } = await on.photoPost(author, "In and out");
  const item = { address: author.username, number };
  const readers = await on.members(8);
  const over = new AbortController();
  const busy = readers.map(async (reader) => {
    for (let turn = 0; !over.signal.aborted || turn < 10; turn += 1) {
      await (turn % 2 ? on.likes.unlike(reader, post) : on.likes.like(reader, post));
      await (turn % 2
        ? on.follows.unfollow(reader, author.id)
        : on.follows.follow(reader, author.id));
    }
  });
  const busyAlbum = (async () => {
    for (let turn = 0; !over.signal.aborted || turn < 10; turn += 1) {
      await (turn % 2
        ? on.albums.takeOut(author, albumId, item)
        : on.albums.putPost(author, albumId, item));
    }
  })();
  for (let round = 0; round < 10; round += 1) {
    await query(db, "update album_counts set items = items + 2 where album_id = $1", [albumId]);
    await query(db, "update posts set like_count = like_count + 3 where id = $1", [post.postId]);
    await query(db, "update account_counters set followers = followers + 4 where account_id = $1", [
      author.id,
    ]);
    await repairCounters(db, await reconcileCounters(db));
  }
  over.abort();
  await Promise.all([...busy, busyAlbum]);
  expect(await reconcileCounters(db)).toEqual([]);
});

test("reports a post that lost images, and leaves it to its operator", async () => {
  const ada = await on.member("Ada");
  const post = await on.photoPost(ada, "Two", ["", ""]);
  await query(db, "update posts set picture_count = 3 where id = $1", [post.postId]);
  const [found] = await look(true);
  expect(found).toMatchObject({ state: "problem", about: "Counters" });
  expect(found?.text).toContain("check-counters");
  await query(db, "update posts set picture_count = 2 where id = $1", [post.postId]);
});

test.skipIf(!imagesOnDisk())("finds images whose files are missing", async () => {
  const ada = await on.member("Ada");
  const { picture } = await on.images.upload(ada, await on.photo());
  rmSync(join(on.folder, "originals", picture.key.slice(0, 2), picture.key));
  const [found] = await look();
  expect(found).toMatchObject({ state: "problem", about: "Pictures" });
  expect(found?.text).toContain("1 files are missing or damaged");
  await query(db, "delete from images where key = $1", [picture.key]);
});

test("finds a broken index and rebuilds it, and finds jobs without a worker", async () => {
  const ada = await on.member("Ada");
  await query(db, "create index doctors_own on accounts (created_at)");
  await query(
    db,
    "update pg_index set indisvalid = false where indexrelid = 'doctors_own'::regclass",
  );
  expect(await look()).toEqual([
    expect.objectContaining({ state: "problem", text: expect.stringContaining("doctors_own") }),
  ]);
  expect(await look(true)).toEqual([
    expect.objectContaining({ state: "fixed", text: expect.stringContaining("doctors_own") }),
  ]);
  await query(db, "drop index doctors_own");

  await query(db, "delete from pgboss.job");
  await on.jobs.add("push.tell", { accountId: ada.id, notificationId: ada.id });
  await query(db, "update pgboss.job set start_after = now() - interval '1 hour'");
  expect(await look()).toEqual([
    expect.objectContaining({
      state: "note",
      text: expect.stringMatching(/^1 should .*Is Postcard/),
    }),
  ]);
  await query(db, "update pgboss.job set state = 'failed'");
  expect(await look()).toEqual([
    expect.objectContaining({ state: "problem", text: expect.stringMatching(/^1 failed/) }),
  ]);
  await query(db, "delete from pgboss.job");
});

test("checks whether the push services of browsers answer", async () => {
  const service = await openPushService();
  const ada = await on.signUp("Ada");
  await on.push.subscribe(ada, service.browser().address);
  expect(await look()).toEqual([]);
  const gone = service.browser().address;
  const endpoint = gone.endpoint.replace(/:\d+\//, ":9/");
  await query(db, "update push_subscriptions set endpoint = $1", [endpoint]);
  expect(await look()).toEqual([
    expect.objectContaining({ about: "Pushes", text: expect.stringContaining("127.0.0.1:9") }),
  ]);
});
