import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DeviceExport, DevicePost } from "#app/features/archive/device/read-export.ts";
import { importUpload } from "#app/features/archive/bring/import-upload.ts";
import { callError } from "#app/lib/api-client.ts";
import type { startUpload } from "#app/lib/forms/resumable-upload.ts";

/** Names of files whose upload is refused, with the refusal. */
const refused = new Map<string, Error>();
const uploaded: string[] = [];
/** Uploads that end only when they are told to, while this is set. */
let held: (() => void)[] | null = null;

vi.mock("#app/lib/forms/resumable-upload.ts", () => {
  return {
    startUpload: ((file) => {
      const { name } = file as File;
      const done = (async () => {
        await new Promise<void>((resolve) => (held ? held.push(resolve) : resolve()));
        const error = refused.get(name);
        if (error) throw error;
        uploaded.push(name);
        return { imageId: name, picture: {} as never };
      })();
      return { done, pause: () => {}, resume: () => {}, cancel: () => {} };
    }) satisfies typeof startUpload,
  };
});

/** The calls that were made, by the end of their path, their keys or sentences, and how many were here before. */
const calls: unknown[] = [];
/** A post that came by another way after the export was read. */
let alreadyHere: string | null = null;

beforeEach(() => {
  vi.stubGlobal("fetch", async (path: string, { body }: { body: string }) => {
    const sent = JSON.parse(body) as { key?: string; skipped?: string[]; known?: number };
    calls.push([path.slice("/calls/imports".length), sent.key ?? sent.skipped, sent.known]);
    if (path === "/calls/imports") return Response.json({ id: "one" });
    const outcome = sent.key === alreadyHere ? "known" : "taken";
    return Response.json(path.endsWith("/posts") ? { outcome } : {});
  });
});

afterEach(async () => {
  held?.forEach((end) => end());
  held = null;
  refused.clear();
  alreadyHere = null;
  await importUpload.end();
  importUpload.forget();
  for (const list of [calls, uploaded]) list.length = 0;
  vi.unstubAllGlobals();
});

const posts = Array.from({ length: 6 }, (_, at): DevicePost => ({
  id: null,
  key: `folder:${at}`,
  time: Date.UTC(2019, 4, at + 1),
  caption: "",
  pictures: [{ file: `${at}.jpg`, alt: "", focalPoint: null }],
  audience: "everyone",
  warning: null,
  sensitive: false,
  bytes: 10,
  problem: at === 5 ? "The post of May 6, 2019 was left out." : null,
}));

async function begin(): Promise<void> {
  const device: DeviceExport = {
    kind: "folder",
    isPrivate: false,
    posts,
    leftOut: [],
    followed: [],
    photo: async (file) => new File(["0123456789"], file),
    photoWithoutPlace: async (file) => new File(["0123456789"], file),
  };
  const kept = { captions: true, hashtags: true, places: false };
  const choices = { accountId: "me", audience: "everyone", kept, showNewest: false } as const;
  await importUpload.begin({ device, posts: posts.slice(0, 5), before: 2, choices });
}

const reaches = (state: string) => vi.waitFor(() => expect(importUpload.now()?.state).toBe(state));
const written = () =>
  calls.flatMap((call) => ((call as string[])[0] === "/one/posts" ? [(call as string[])[1]] : []));

test("each post is written once, and then the import ends with what cannot come", async () => {
  await begin();
  await reaches("ended");
  expect(written().toSorted()).toEqual(posts.slice(0, 5).map(({ key }) => key));
  expect(importUpload.now()?.there).toEqual({ posts: 5, bytes: 50 });
  expect(calls.at(-1)).toEqual(["/one/end", ["The post of May 6, 2019 was left out."], 2]);
});

test("what was here before is counted, also where it came after the export was read", async () => {
  alreadyHere = "folder:3";
  await begin();
  await reaches("ended");
  expect(calls.at(-1)).toEqual(["/one/end", ["The post of May 6, 2019 was left out."], 3]);
});

test("a photo that is refused stops no other; it is named, tried again, or left out", async () => {
  refused.set("1.jpg", callError("picture-type", "We can't use this file.", 415));
  await begin();
  await reaches("undecided");
  expect(written()).toHaveLength(4);
  expect(importUpload.now()?.failed).toMatchObject([
    { name: "1.jpg, 2 May 2019", problem: "We can't use this file." },
  ]);
  importUpload.retry();
  await vi.waitFor(() => expect(importUpload.now()?.failed).toHaveLength(1));
  await reaches("undecided");
  await importUpload.end();
  expect(calls.at(-1)).toEqual([
    "/one/end",
    ["1.jpg, 2 May 2019: We can't use this file.", "The post of May 6, 2019 was left out."],
    2,
  ]);
});

test("what is refused for all stops all, and goes on with nothing lost or sent twice", async () => {
  const full = callError("storage-full", "You have no room left.", 507);
  for (const { pictures } of posts) refused.set(pictures[0]?.file ?? "", full);
  await begin();
  await reaches("stopped");
  expect(importUpload.now()).toMatchObject({ problem: "You have no room left.", failed: [] });
  expect(written()).toEqual([]);
  refused.clear();
  importUpload.goOn();
  await reaches("ended");
  expect(written().toSorted()).toEqual(posts.slice(0, 5).map(({ key }) => key));
  expect(uploaded).toHaveLength(5);
});

test("paused, nothing new begins; gone on with, all of it comes once", async () => {
  held = [];
  await begin();
  await vi.waitFor(() => expect(held?.length).toBeGreaterThan(0));
  importUpload.pause();
  const waiting = held;
  held = null;
  waiting.forEach((end) => end());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(written()).toEqual([]);
  importUpload.goOn();
  await reaches("ended");
  expect(written().toSorted()).toEqual(posts.slice(0, 5).map(({ key }) => key));
  expect(uploaded).toHaveLength(5);
});

test("stopped in the middle, it ends with what is there", async () => {
  held = [];
  await begin();
  await vi.waitFor(() => expect(held?.length).toBeGreaterThan(0));
  await importUpload.end();
  expect(importUpload.now()?.state).toBe("ended");
  expect(calls.at(-1)).toEqual(["/one/end", ["The post of May 6, 2019 was left out."], 2]);
  held.splice(0).forEach((end) => end());
  held = null;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(written()).toEqual([]);
});
