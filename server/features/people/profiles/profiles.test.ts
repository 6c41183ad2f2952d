import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

describe("a profile", () => {
  test("has counts, a bio and the relation of viewer and owner", async () => {
    const [ada, bob] = [await on.member("Ada Lovelace"), await on.member("Bob")];
    await query(db, "update accounts set bio = $2, website = $3 where id = $1", [
      ada.id,
      "I count\nthings",
      "https://example.org/ada",
    ]);
    await on.textPost(ada);
    await on.photoPost(ada);
    await on.follows.follow(bob, ada.id);
    expect(await on.profiles.get(bob, ada.id)).toEqual({
      account: { id: ada.id, username: ada.username, name: "Ada Lovelace", avatar: ada.avatar },
      bio: "I count\nthings",
      website: "https://example.org/ada",
      websiteVerifiedAt: null,
      extraFields: [],
      mentions: [],
      email: null,
      counts: { posts: 2, photos: 1, followers: 1, following: 0 },
      following: true,
      followsViewer: false,
      muted: false,
      note: "",
      isPrivate: false,
      listsOpen: true,
      hasAlbums: false,
      requested: false,
      isViewer: false,
    });
    await on.albums.create(ada, { title: "Summer", audience: "followers" });
    expect(await on.profiles.get(bob, ada.id)).toMatchObject({ hasAlbums: true });
    expect(await on.profiles.get(null, ada.id)).toMatchObject({ hasAlbums: false });
    expect(await on.profiles.get(ada, bob.id)).toMatchObject({
      following: false,
      followsViewer: true,
      isViewer: false,
    });
    expect(await on.profiles.get(ada, ada.id)).toMatchObject({ isViewer: true, following: false });
    expect(await on.profiles.get(null, ada.id)).toMatchObject({
      isViewer: false,
      following: false,
      followsViewer: false,
    });
  });

  test("of somebody without a name shows the username", async () => {
    const nameless = await on.member("");
    const profile = await on.profiles.get(null, nameless.id);
    expect(profile?.account.name).toBe(nameless.username);
  });

  test.each(["", "x", "a\u0000", "00000000-0000-7000-8000-000000000000"])(
    "of nobody (%j) is none",
    async (id) => {
      expect(await on.profiles.get(null, id)).toBeNull();
    },
  );
});
