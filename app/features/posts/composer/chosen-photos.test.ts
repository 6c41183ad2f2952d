import { beforeEach, expect, test } from "vitest";
import {
  createChosenPhotos,
  type ChosenPhotos,
} from "#app/features/posts/composer/chosen-photos.ts";
import { callError } from "#app/lib/api-client.ts";
import type { startUpload } from "#app/lib/forms/resumable-upload.ts";

type Options = Parameters<typeof startUpload>[1];
type Sending = {
  name: string;
  options: Options;
  arrive: (imageId: string) => void;
  fail: (error: Error) => void;
  calls: string[];
};

let sendings: Sending[];
let photos: ChosenPhotos;

const photo = (name: string) => new File([name], name);
const named = (name: string) => {
  const found = sendings.findLast((one) => one.name === name);
  if (!found) throw new Error(`${name} is not on its way`);
  return found;
};
const states = () => photos.all().map(({ name, state }) => `${name} ${state}`);
const idOf = (name: string) => photos.all().find((one) => one.name === name)?.id ?? "";
const settled = () => new Promise((resolve) => setImmediate(resolve));
const unreadable = () => callError("picture-unreadable", "We couldn't read it.", 422);

beforeEach(() => {
  sendings = [];
  photos = createChosenPhotos([], {
    start: (file, options) => {
      const { promise: done, resolve, reject } = Promise.withResolvers<{ imageId: string }>();
      const calls: string[] = [];
      const arrive = (imageId: string) => resolve({ imageId });
      sendings.push({ name: (file as File).name, options, arrive, fail: reject, calls });
      return {
        done,
        pause: () => void calls.push("pause"),
        resume: () => void calls.push("resume"),
        cancel: () => void calls.push("cancel"),
      };
    },
    previewOf: (file) => `blob:${(file as File).name}`,
    dropPreview: () => undefined,
  });
});

test("two are uploaded at a time, the others follow in their order", async () => {
  photos.add(["a", "b", "c", "d"].map(photo));
  expect(states()).toEqual(["a sending", "b sending", "c queued", "d queued"]);
  named("b").arrive("id of b");
  await settled();
  expect(states()).toEqual(["a sending", "b sent", "c sending", "d queued"]);
});

test("one that cannot be read fails alone, and the post waits until it is removed", async () => {
  photos.add(["a", "bad", "c"].map(photo));
  const never = new AbortController().signal;
  const sent = photos.sent(never);
  named("bad").fail(unreadable());
  await expect(sent).rejects.toMatchObject({ code: "photo-missing" });
  expect(photos.all()[1]).toMatchObject({ state: "failed", hopeless: true });
  photos.remove(idOf("bad"));
  const again = photos.sent(never);
  named("a").arrive("id of a");
  named("c").arrive("id of c");
  await again;
  expect(photos.all().map(({ imageId }) => imageId)).toEqual(["id of a", "id of c"]);
});

test("of more than ten the first are taken; empty and heavy ones never leave", () => {
  const taken = photos.add(Array.from({ length: 12 }, (_, index) => photo(`${index}`)));
  expect(taken).toHaveLength(10);
  expect(photos.add([photo("one more")])).toEqual([]);
  photos.clear();
  photos.add([new File([], "empty")]);
  expect(photos.all()[0]).toMatchObject({ state: "failed", hopeless: true });
});

test("one that is paused lets the next begin, and resumes when asked, or with Post", async () => {
  photos.add(["a", "b", "c"].map(photo));
  photos.pause(idOf("a"));
  expect(states()).toEqual(["a paused", "b sending", "c sending"]);
  // Progress from before the pause arrives late.
  named("a").options.onWaiting?.(null);
  expect(states()[0]).toBe("a paused");
  const back = new AbortController();
  const sent = photos.sent(back.signal);
  expect(named("a").calls).toEqual(["pause", "resume"]);
  expect(states()[0]).toBe("a sending");
  back.abort();
  await sent;
});

test("one that failed is retried from where it stopped", async () => {
  photos.add([photo("a")]);
  named("a").options.onUrl?.("/api/uploads/1");
  named("a").fail(callError("storage-full", "No room.", 413));
  await settled();
  expect(photos.all()[0]).toMatchObject({ state: "failed", hopeless: false, problem: "No room." });
  photos.resume(idOf("a"));
  expect(sendings).toHaveLength(2);
  expect(named("a").options.url).toBe("/api/uploads/1");
});

test("the order is the one chosen by moving, and each keeps its description", () => {
  photos.add(["a", "b", "c"].map(photo));
  photos.describe(idOf("a"), "The first");
  photos.move(idOf("a"), 2);
  expect(photos.all().map(({ name, alt }) => `${name}${alt && `: ${alt}`}`)).toEqual([
    "b",
    "c",
    "a: The first",
  ]);
});

test("images that were swept meanwhile are sent again; a removed one is not", async () => {
  photos.add([photo("a")]);
  named("a").options.onUrl?.("/api/uploads/1");
  named("a").arrive("swept");
  await settled();
  photos.sendAgain();
  expect(named("a").options.url).toBeUndefined();
  expect(states()).toEqual(["a sending"]);
  const { arrive, calls } = named("a");
  photos.release();
  arrive("late");
  await settled();
  expect(calls).toEqual(["pause"]);
  expect(photos.all()).toEqual([]);
});

test("a photo that only the server has is posted, and cannot be sent again", () => {
  photos.restore([{ id: "1", name: "", alt: "", url: null, imageId: "there", file: null }]);
  expect(photos.all()[0]).toMatchObject({ state: "sent", preview: "/api/images/there" });
  photos.sendAgain();
  expect(photos.all()[0]).toMatchObject({ state: "failed", hopeless: true });
});
