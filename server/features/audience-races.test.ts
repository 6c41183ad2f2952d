import { AsyncLocalStorage } from "node:async_hooks";
import { buffer } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import {
  testFeatures,
  testSecrets,
  type MadePost,
  type TestFeatures,
} from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { until } from "#server/test/until.ts";
import type { Audience } from "#shared/posts.ts";
import type { Viewer } from "#shared/views.ts";

/* Somebody closes a post while others act on it, on either of two servers. */
let db: Database;
let on: TestFeatures;
/** another server of the installation */
let other: TestFeatures;
let ada: Viewer;
let bob: Viewer;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const secrets = testSecrets();
  on = testFeatures(db, { secrets });
  other = testFeatures(db, { secrets, folder: on.folder });
  [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
  await on.follows.follow(bob, ada.id);
});

async function setAudience(post: MadePost, audience: Audience): Promise<void> {
  const read = await on.posts.get(ada, ada.username, post.number);
  await on.posts.edit(ada, ada.username, post.number, { version: read?.version ?? 0, audience });
}

/** The words of all JSON in an archive, without whom its owner follows. */
async function textOf(archive: Buffer): Promise<string> {
  const zip = await fromBufferPromise(archive);
  let text = "";
  for await (const entry of zip.eachEntry()) {
    if (!/likes|comments/.test(entry.fileName)) continue;
    text += String(await buffer(await zip.openReadStreamPromise(entry)));
  }
  return text;
}

/** A post as streams name it. */
const streamKey = ({ authorId, postId }: MadePost) => `${authorId}.${postId}`;

/** Until this many statements wait for a lock. */
const waiting = (count: number) =>
  until(async () => {
    const [row] = await query<{ waiting: number }>(
      db,
      `select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.waiting === count;
  });

/** What `act` comes to, which began after Ada changed something and before that was committed. */
async function whileChanging(
  change: () => Promise<unknown>,
  act: () => Promise<unknown>,
): Promise<string> {
  let acting: Promise<string> | undefined;
  await db.transaction(async () => {
    await change();
    // in a transaction of its own, as a request of somebody else
    acting = outside(() =>
      act().then(
        () => "done",
        (error: unknown) => String((error as { code?: unknown }).code),
      ),
    );
    await outside(() => waiting(1));
  });
  return acting ?? "never begun";
}
const outside = AsyncLocalStorage.snapshot();

describe("a post that is narrowed", () => {
  const acts: Record<string, (post: MadePost) => Promise<unknown>> = {
    liked: (post) => other.likes.like(bob, post),
    "commented on": (post) => other.comments.add(bob, post, "A comment", null),
  };
  test.each(Object.keys(acts))("while it is being %s refuses that", async (name) => {
    const post = await on.textPost(ada);
    const act = acts[name];
    if (!act) throw new Error("there is no such act");
    expect(
      await whileChanging(
        () => setAudience(post, "only-me"),
        () => act(post),
      ),
    ).toBe("not-found");
    expect(await on.posts.get(ada, ada.username, post.number)).toMatchObject({
      likeCount: 0,
      commentCount: 0,
    });
  });

  test("while it is being bookmarked is not in the bookmarks", async () => {
    const post = await on.textPost(ada);
    await Promise.all([
      setAudience(post, "only-me"),
      other.bookmarks.save(bob, post).catch(() => null),
    ]);
    expect((await other.bookmarks.list(bob, "texts", null)).items).toEqual([]);
  });

  test("while an archive waits to be written is not in it", async () => {
    const post = await on.textPost(ada);
    await on.likes.like(bob, post);
    await on.comments.add(bob, post, "My own words", null);
    const { id } = await on.exports.start(bob);
    await setAudience(post, "only-me");
    expect((await other.jobs.runDue()).failed).toEqual([]);
    const text = await textOf(await buffer((await on.exports.find(bob, id)).file.read()));
    expect(text).toContain("My own words");
    expect(text).not.toContain(ada.username);
  });

  test("sends nothing more to those who have it open", async () => {
    const [narrow, open] = [await on.textPost(ada), await on.textPost(ada)];
    let sent = "";
    const outlet = {
      write: (text: string) => void (sent += text),
      backlog: () => 0,
      end: () => {},
    };
    const stream = await other.live.open(bob, outlet, null);
    other.live.watch(bob, stream.id, [streamKey(narrow), streamKey(open)]);
    await until(() => sent.includes(streamKey(narrow)) && sent.includes(streamKey(open)));
    await setAudience(narrow, "only-me");
    await until(() => sent.includes("event: gone"));
    sent = "";
    await on.likes.like(ada, narrow);
    await on.likes.like(ada, open);
    await until(() => sent.includes(streamKey(open)));
    expect(sent).not.toContain(streamKey(narrow));
    other.live.close(stream);
  });

  test("leaves lists that another server is writing", async () => {
    for (let round = 0; round < 8; round += 1) {
      const post = await on.textPost(ada);
      other.homeLists.refreshSoon(bob.id);
      await Promise.all([setAudience(post, "only-me"), other.homeLists.work()]);
      const ids = (await other.feed.home(bob, null)).items.map(({ id }) => id);
      expect(ids).not.toContain(post.postId);
      await Promise.all([setAudience(post, "followers"), other.homeLists.work()]);
      await other.homeLists.work();
      const after = (await on.feed.home(bob, null)).items.map(({ id }) => id);
      expect(after).toContain(post.postId);
    }
  });
});

describe("a photo of an album", () => {
  let album: string;
  beforeAll(async () => {
    ({ id: album } = await on.albums.create(ada, { title: "Summer", audience: "followers" }));
    await on.albumMembers.put(ada, album, bob.username, "contributor");
  });

  async function photoBy(author: Viewer): Promise<MadePost> {
    const imageId = await on.upload(author);
    const { id, number } = await on.albums.addPhoto(author, album, { imageId, clientKey: null });
    return { authorId: author.id, postId: id, number, author };
  }
  const takeOut = ({ author, number }: MadePost) =>
    on.albums.takeOut(ada, album, { address: author.username, number });

  const acts: Record<string, (post: MadePost) => Promise<unknown>> = {
    liked: (post) => other.likes.like(bob, post),
    "commented on": (post) => other.comments.add(bob, post, "A comment", null),
  };
  test.each(Object.keys(acts))(
    "that is taken out while it is being %s refuses that",
    async (how) => {
      const post = await photoBy(ada);
      const act = acts[how] ?? (async () => {});
      const came = await whileChanging(
        () => takeOut(post),
        () => act(post),
      );
      expect(came).toBe("not-found");
    },
  );

  test("that a contributor takes along while a guest downloads them is in none begun after that", async () => {
    const photo = await photoBy(bob);
    await on.albumMembers.showToGuests(bob, album, true);
    const wanted = { kind: "album", album, albumAudience: "followers", downloads: true } as const;
    const { address } = await on.sharedLinks.make(ada, wanted);
    const client = { ip: "192.0.2.1", cookieHeader: "" };
    const { id, cookie } = await on.guests.enter(address.split("/").at(-1) ?? "", client);
    const guest = { ...client, cookieHeader: cookie.split(";")[0] ?? "" };
    const picture = (await on.posts.get(bob, bob.username, photo.number))?.pictures[0];
    const key = picture?.key ?? "";
    const shown = () => other.guests.photo(id, key, guest);
    expect(await shown()).toMatchObject({ key });
    // In time for it or not, it is in none from now on.
    const zip = other.guests.zip(id, guest).then((begun) => buffer(begun));
    await Promise.all([on.albumMembers.leave(bob, album), zip.catch(() => null)]);
    expect(await shown()).toBeNull();
    await expect(other.guests.zip(id, guest)).rejects.toMatchObject({ code: "shared-link-ended" });
  });
});

describe("a request to follow", () => {
  test("that is accepted while it is withdrawn ends in one of both", async () => {
    const cleo = await on.member("Cleo");
    await on.privacy.set(cleo, true);
    const ends = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      await on.follows.follow(bob, cleo.id);
      await Promise.all([
        on.followRequests.accept(cleo, bob.id).catch(() => null),
        other.follows.unfollow(bob, cleo.id),
      ]);
      const profile = await on.profiles.get(bob, cleo.id);
      expect(profile?.requested).toBe(false);
      const [row] = await query<{ rows: number }>(
        db,
        `select (select count(*) from follows where followee_id = $1)::int
          + (select count(*) from followers where followee_id = $1)::int as rows`,
        [cleo.id],
      );
      expect(row?.rows).toBe(profile?.following ? 2 : 0);
      expect(profile?.counts.followers).toBe(profile?.following ? 1 : 0);
      ends.add(String(profile?.following));
      await on.follows.unfollow(bob, cleo.id);
    }
    // whoever comes second decides: an accepted request that is withdrawn ends the follow
    expect(ends).toEqual(new Set(["false"]));
  });

  test("that is accepted while the account is blocked leaves no follow", async () => {
    const [cleo, dora] = [await on.member("Cleo"), await on.member("Dora")];
    await on.privacy.set(cleo, true);
    for (let round = 0; round < 6; round += 1) {
      await on.follows.follow(dora, cleo.id);
      await Promise.all([
        on.followRequests.accept(cleo, dora.id).catch(() => null),
        other.blocks.block(dora, cleo.id),
      ]);
      await other.blocks.unblock(dora, cleo.id);
      expect(await on.profiles.get(dora, cleo.id)).toMatchObject({
        following: false,
        requested: false,
      });
    }
  });
});

/** What a replica that lags may not show any more has to be seen at once (docs/decisions/0188). */
test("whatever closes something to somebody is seen at once, on replicas too", async () => {
  const seenAtOnce = vi.fn<() => void>(() => db.seenAtOnce());
  const { posts, privacy, follows, closeFriends, blocks, albums, albumMembers } = testFeatures({
    ...db,
    seenAtOnce,
  });
  const [one, two] = [await on.member("One"), await on.member("Two")];
  const { number } = await on.textPost(one);
  const narrower = { version: 0, audience: "followers" } as const;
  const { id: album } = await on.albums.create(one, { title: "Summer", audience: "followers" });
  await on.follows.follow(two, one.id);
  await on.albumMembers.put(one, album, two.username, "contributor");
  const closing: Record<string, () => Promise<unknown>> = {
    "narrow an album": () => albums.edit(one, album, { audience: "members" }),
    "take back that links show one's photos": () => albumMembers.showToGuests(two, album, false),
    "leave an album": () => albumMembers.leave(two, album),
    narrow: () => posts.edit(one, one.username, number, narrower),
    "go private": () => privacy.set(one, true),
    unfollow: () => follows.unfollow(two, one.id),
    "remove a follower": () => follows.removeFollower(one, two.id),
    "remove a close friend": () => closeFriends.remove(one, two.id),
    block: () => blocks.block(one, two.id),
  };
  for (const [name, close] of Object.entries(closing)) {
    seenAtOnce.mockClear();
    await close();
    expect(seenAtOnce, name).toHaveBeenCalled();
  }
});
