import { afterEach, expect, test, vi } from "vitest";
import type { DevicePost } from "#app/features/archive/device/read-export.ts";
import { sendPost, type PostUploads } from "#app/features/archive/bring/send-post.ts";
import { callError } from "#app/lib/api-client.ts";
import { createStore } from "#app/lib/store.ts";

afterEach(() => vi.unstubAllGlobals());

const photo = (file: string) => ({ file, alt: `Alt of ${file}`, focalPoint: null });
const post: DevicePost = {
  id: "17",
  key: "instagram:0123",
  time: 1_556_841_600_000.4,
  caption: "The #sea in May #nofilter",
  language: "en",
  pictures: [photo("a.jpg"), photo("b.jpg")],
  audience: "followers",
  warning: null,
  sensitive: false,
  bytes: 20,
  problem: null,
};
const all = { captions: true, hashtags: true, places: true };

/** Uploads end at once with the name of their file; those in `broken` are refused. */
function staged(broken = new Set<string>()) {
  const sent: string[] = [];
  const start: PostUploads["start"] = (file) => {
    const name = (file as File).name;
    const done = broken.has(name)
      ? Promise.reject(callError("picture-type", "We can't use this file.", 415))
      : Promise.resolve({ imageId: `image of ${name}` });
    done.then(
      () => sent.push(name),
      () => undefined,
    );
    return { done, pause: () => {}, resume: () => {}, cancel: () => {} };
  };
  const uploads: PostUploads = {
    photos: createStore<ReturnType<PostUploads["photos"]["now"]>>([]),
    start,
    handles: new Map(),
    errors: new Map(),
    sent: new Map(),
  };
  const bodies: unknown[] = [];
  const withPlace: boolean[] = [];
  const photoAs = (place: boolean) => async (file: string) => {
    withPlace.push(place);
    return new File(["0123456789"], file);
  };
  const answers: (() => Response)[] = [];
  vi.stubGlobal("fetch", async (path: string, { body }: { body: string }) => {
    bodies.push([path, JSON.parse(body)]);
    return answers.shift()?.() ?? Response.json({ outcome: "taken" });
  });
  const sending = {
    device: { photo: photoAs(true), photoWithoutPlace: photoAs(false) },
    uploads,
    post,
    signal: new AbortController().signal,
    onWaiting: () => {},
    whenGoing: async () => {},
  };
  return { sending, sent, bodies, answers, uploads, withPlace };
}

test("a post is written once its photos are there, in their order, with what its author keeps", async () => {
  const { sending, bodies, uploads, withPlace } = staged();
  expect(await sendPost(sending, { importId: "one", kept: all })).toBe("taken");
  expect(bodies).toEqual([
    [
      "/calls/imports/one/posts",
      {
        key: "instagram:0123",
        time: 1_556_841_600_000,
        caption: "The #sea in May #nofilter",
        language: "en",
        warning: null,
        sensitive: false,
        audience: "followers",
        showPlace: true,
        pictures: [
          { imageId: "image of a.jpg", alt: "Alt of a.jpg", focalPoint: null },
          { imageId: "image of b.jpg", alt: "Alt of b.jpg", focalPoint: null },
        ],
      },
    ],
  ]);
  expect([uploads.photos.now(), uploads.sent.size]).toEqual([[], 0]);
  expect(withPlace).toEqual([true, true]);
});

test.each([
  [{ captions: false, hashtags: true, places: false }, "", null],
  [{ captions: true, hashtags: false, places: false }, "The sea in May", "en"],
])("%o keeps “%s”, and places are forgotten", async (kept, caption, language) => {
  const { sending, bodies, withPlace } = staged();
  await sendPost(sending, { importId: "one", kept });
  expect(withPlace).toEqual([false, false]);
  expect(bodies).toEqual([
    [expect.anything(), expect.objectContaining({ caption, language, showPlace: false })],
  ]);
});

test("a photo that cannot come stops its post, and the next try sends only what is missing", async () => {
  const broken = new Set(["b.jpg"]);
  const { sending, sent, bodies, uploads } = staged(broken);
  const to = { importId: "one", kept: all };
  await expect(sendPost(sending, to)).rejects.toThrow("We can't use this file.");
  expect([bodies, uploads.photos.now()]).toEqual([[], []]);
  broken.clear();
  await sendPost(sending, to);
  expect(sent).toEqual(["a.jpg", "b.jpg"]);
});

test("an image that the server removed meanwhile is sent again", async () => {
  const { sending, sent, answers } = staged();
  const to = { importId: "one", kept: all };
  const gone = { error: { code: "picture-unknown", message: "This picture is no longer here." } };
  answers.push(() => Response.json(gone, { status: 400 }));
  await expect(sendPost(sending, to)).rejects.toThrow("no longer here");
  await sendPost(sending, to);
  expect(sent).toEqual(["a.jpg", "b.jpg", "a.jpg", "b.jpg"]);
});
