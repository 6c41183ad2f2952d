import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#server/test/app.ts";
import { insertAccounts, insertFollows } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everything } from "#server/test/everything.ts";
import { scene } from "#server/test/images.ts";
import { query } from "#server/test/query.ts";
import { beginUpload, sendUpload, tusVersion } from "#server/test/tus.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { features: on, call } = await testApp(db, {}, { rateLimits: true });

let photo: Buffer;
let ada: Viewer, eve: Viewer;
let album: string;

beforeAll(async () => {
  photo = await (await scene(48, 32)).jpeg().toBuffer();
});

/** Ada is new here, with an album. */
async function newcomer(): Promise<void> {
  [ada, eve] = (await insertAccounts(db, 2)) as [Viewer, Viewer];
  album = (await on.albums.create(ada, { title: "Summer" })).id;
}

type Into = { album: string; batch?: string };

/** @returns its address, or the code of its refusal */
const begin = (viewer: Viewer, into?: Into, bytes?: number) =>
  beginUpload({ call, viewer, photo, metadata: into, ...(bytes !== undefined && { bytes }) });

/** @returns the image's id */
const send = (viewer: Viewer, into?: Into) => sendUpload({ call, viewer, photo, metadata: into });

async function add(viewer: Viewer, imageId: string, into: Into, last = false): Promise<string> {
  const { batch } = into;
  const payload = { imageId, clientKey: null, last, ...(batch && { batch }) };
  const answer = await call(viewer, "POST", `/api/albums/${into.album}/photos`, { payload });
  return answer.statusCode === 201 ? "done" : answer.json().error.code;
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code }: { code: string }) => code,
  );
/** As a form sends one. */
const uploadWhole = async (viewer: Viewer, into: Into) =>
  on.albums.upload(viewer, into, await on.photo());
const photoCount = async () => (await on.albums.get(ada, album)).photoCount;
const counted = (kind: string) =>
  query<{ points: number }>(db, "select points from rate_limits where key like $1", [
    `writes-${kind}:%`,
  ]);

describe("uploads into an album", () => {
  test("a newcomer sends 200 at once, which the limit of an hour neither stops nor counts", async () => {
    await newcomer();
    const { atOnce } = limits.albums;
    const into = { album, batch: "one go" };
    const whole = everything ? atOnce : 5;
    for (let n = 0; n < atOnce - whole; n += 1) {
      expect(
        (await call(ada, "DELETE", await begin(ada, into), { headers: tusVersion })).statusCode,
      ).toBe(204);
    }
    for (let n = 1; n <= whole; n += 1) {
      expect(await add(ada, await send(ada, into), into, n === whole)).toBe("done");
    }
    expect(await photoCount()).toBe(whole);
    expect([await counted("uploads"), await counted("albumUploads")]).toEqual([
      [],
      [{ points: atOnce }],
    ]);
    expect(await begin(ada)).toMatch(/^\/api\/uploads\//);
    expect(await counted("uploads")).toEqual([{ points: 1 }]);
  });

  test("are no way round that limit: only that album takes them", async () => {
    await newcomer();
    const other = (await on.albums.create(ada, { title: "Winter" })).id;
    const whole = await uploadWhole(ada, { album });
    for (const imageId of [await send(ada, { album }), whole.imageId]) {
      const pictures = [{ imageId, alt: "" }];
      expect(await outcome(on.publish(ada, { pictures }))).toBe("picture-unknown");
      const words = await on.textPost(ada);
      const edit = { version: 0, pictures };
      expect(await outcome(on.posts.edit(ada, ada.username, words.number, edit))).toBe(
        "picture-unknown",
      );
      expect(await add(ada, imageId, { album: other })).toBe("picture-unknown");
      expect(await add(ada, imageId, { album })).toBe("done");
    }
    expect(await photoCount()).toBe(2);
  });

  test("count for a day from their beginning, added or not, and then wait for tomorrow", async () => {
    await newcomer();
    const { newcomer: most, perDay } = limits.writes.albumUploads;
    await query(db, "delete from rate_limits");
    const url = await begin(ada, { album });
    await call(ada, "DELETE", url, { headers: tusVersion });
    await uploadWhole(ada, { album });
    expect(await counted("albumUploads")).toEqual([{ points: 2 }]);
    await query(db, "update rate_limits set points = $1", [most]);
    // whatever album it is: a hundred of them are no way round
    const other = (await on.albums.create(ada, { title: "Winter" })).id;
    expect(await begin(ada, { album: other })).toBe("too-many-writes");
    const refused = await uploadWhole(ada, { album }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "too-many-writes",
      message:
        "You've added a lot of photos to albums in the last day. Please try again in 24 hours.",
    });
    expect(perDay).toBeLessThan(24 * limits.writes.uploads.perHour);
    expect(most).toBeLessThan(24 * limits.writes.uploads.newcomer);
  });

  test("are refused before the first byte to whom may not add, and where there is no room", async () => {
    await newcomer();
    await insertFollows(db, [eve], [ada]);
    expect(await begin(eve, { album })).toBe("not-found");
    await on.albumMembers.put(ada, album, eve.username, "member");
    expect(await begin(eve, { album })).toBe("not-contributor");
    expect(await outcome(uploadWhole(eve, { album }))).toBe("not-contributor");
    expect(await begin(ada, { album: "none" })).toBe("not-found");
    expect(await begin(ada, { album, batch: "x".repeat(101) })).toBe("input-invalid");
    expect(await add(ada, await send(ada, { album }), { album })).toBe("done");
    const full = limits.albums.items;
    await query(db, "update album_counts set items = $2 where album_id = $1", [album, full]);
    expect(await begin(ada, { album })).toBe("album-full");
    await query(db, "update album_counts set items = 1 where album_id = $1", [album]);
    await on.storage.setQuota(ada.id, 10);
    expect(await begin(ada, { album })).toBe("storage-full");
  });

  test("go one batch at a time, whichever way they are sent, also without a name for it", async () => {
    await newcomer();
    const running = { album, batch: "a" };
    const first = await send(ada, running);
    const ordinary = await send(ada);
    const others: Record<string, (into: Into) => Promise<string>> = {
      "begun in parts": (into) => begin(ada, into),
      "sent whole": (into) => outcome(uploadWhole(ada, into)),
      added: (into) => add(ada, ordinary, into),
    };
    for (const [name, way] of Object.entries(others)) {
      expect(await way({ album }), name).toBe("album-batch-running");
      expect(await way({ album, batch: "b" }), name).toBe("album-batch-running");
    }
    expect(await add(ada, first, running, true)).toBe("done");
    expect(await begin(ada, { album })).toMatch(/^\/api\/uploads\//);
    expect(await outcome(uploadWhole(ada, { album }))).toBe("done");
    expect(await add(ada, ordinary, { album })).toBe("done");
  });
});
