import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#server/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

beforeEach(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

const suggestedTo = async (viewer: Viewer) =>
  (await on.feed.suggestions(viewer)).map(({ name }) => name);

describe("people to follow", () => {
  test("have posts, are to be seen and not followed yet", async () => {
    const viewer = await on.member("Viewer");
    const [writer, gone] = [await on.member("Writer"), await on.member("Gone")];
    await on.member("Silent");
    for (const one of [viewer, writer, gone]) await on.textPost(one);
    await on.suspend(gone);
    expect(await suggestedTo(viewer)).toEqual(["Writer"]);
    await on.follows.follow(viewer, writer.id);
    expect(await suggestedTo(viewer)).toEqual([]);
    await on.follows.unfollow(viewer, writer.id);
    await on.posts.remove(writer, writer.username, 1);
    expect(await suggestedTo(viewer)).toEqual([]);
  });

  test("are first those whom one's own people follow, then those whom most do", async () => {
    const viewer = await on.member("Viewer");
    const [friend, known, famous, other] = [
      await on.member("Friend"),
      await on.member("Known"),
      await on.member("Famous"),
      await on.member("Other"),
    ];
    for (const one of [known, famous, other]) await on.textPost(one);
    await on.follows.follow(viewer, friend.id);
    await on.follows.follow(friend, known.id);
    for (const fan of [known, other]) await on.follows.follow(fan, famous.id);
    expect(await suggestedTo(viewer)).toEqual(["Known", "Famous", "Other"]);
    // somebody who follows the viewer is as near
    await on.follows.follow(other, viewer.id);
    await on.follows.follow(friend, other.id);
    expect(await suggestedTo(viewer)).toEqual(["Other", "Known", "Famous"]);
  });

  test("are twelve at most", async () => {
    const viewer = await on.member("Viewer");
    for (const one of await on.members(14)) await on.textPost(one);
    expect(await suggestedTo(viewer)).toHaveLength(12);
  });
});
