import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDecodeQueue } from "#server/features/posts/images/decode-queue.ts";
import { createDecoder } from "#server/features/posts/images/decoder.ts";
import { avifTile, gridOf, jpegOfScans } from "#server/test/bombs.ts";
import { everything } from "#server/test/everything.ts";
import { phonePhoto, plain } from "#server/test/images.ts";
import { isRefusal } from "#shared/errors.ts";

let folder: string;
let small: string;
let scans: string;
let grid: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postcard-decoder-"));
  small = await file("small.png", await plain(64, 48, [200, 40, 40]).png().toBuffer());
  scans = await file("scans.jpg", jpegOfScans({ width: 7000, height: 7000, scans: 2600 }));
  const tiles = { rows: 15, columns: 16, width: 64, height: 48 };
  grid = await file("grid.avif", gridOf(await avifTile(2048), tiles));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const uncounted = pathToFileURL(resolve("server/test/uncounted-decoder.ts"));
const aSecond = 25_000_000;

function turnOf(ms = 600_000) {
  const turn = {
    pixels: 0,
    deadline: performance.now() + ms,
    charge: (more: number) => void (turn.pixels += more),
  };
  return turn;
}

type Decoder = ReturnType<typeof createDecoder>;
const still = { moving: false };
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) => {
      if (!isRefusal(error)) throw error;
      return error.code;
    },
  );
const tried = (decoder: Decoder, path: string, turn = turnOf()) =>
  codeOf(decoder.render("renderImage", path, turn, still));

test("a bomb that no check counted ends at its limit of processor seconds, and is charged for them", async () => {
  const decoder = createDecoder({ program: uncounted, processorSeconds: 0.5 });
  for (const bomb of [scans, grid]) {
    const turn = turnOf();
    expect(await tried(decoder, bomb, turn)).toBe("picture-too-complex");
    expect(turn.pixels).toBe(0.5 * aSecond);
    expect(await tried(decoder, small)).toBe("none");
  }
});

test("an image that takes more memory than allowed ends, and is charged", async () => {
  const decoder = createDecoder({ memory: 1024 * 1024 });
  expect(await tried(decoder, small)).toBe("picture-too-complex");
});

test("the clock ends a turn as well, which may be retried", async () => {
  const decoder = createDecoder({ program: uncounted });
  await expect(decoder.render("renderImage", scans, turnOf(500), still)).rejects.toMatchObject({
    code: "picture-timeout",
    status: 503,
  });
});

test("a process is reused for the next images, ended after many, and ended when idle", async () => {
  const decoder = createDecoder({ program: uncounted, mostImages: 2, restMs: 500 });
  const rendered = async () => {
    expect(await tried(decoder, small)).toBe("none");
    return readFile(`${small}.pid`, "utf8");
  };
  const first = await rendered();
  expect(decoder.count()).toBe(1);
  expect(await rendered()).toBe(first);
  expect(decoder.count()).toBe(0);
  const next = await rendered();
  expect(next).not.toBe(first);
  await untilGone(Number(next));
  expect(decoder.count()).toBe(0);
});

test("the renderer's refusals arrive unchanged, with their sentences and pixels", async () => {
  const decoder = createDecoder();
  const turn = turnOf();
  const refused = decoder.render("renderImage", scans, turn, still);
  await expect(refused).rejects.toMatchObject({
    code: "picture-too-complex",
    status: 422,
    message: expect.stringContaining("more than 30 scans"),
  });
  const { width, variants, thumbhash } = await decoder.render("renderImage", small, turn, still);
  expect([width, variants.map((one) => one.width)]).toEqual([64, [64]]);
  expect([Buffer.isBuffer(variants[0]?.bytes), Buffer.isBuffer(thumbhash)]).toEqual([true, true]);
  // a missing file is not the image's fault
  await expect(decoder.render("renderImage", join(folder, "none"), turn, still)).rejects.toThrow(
    "ENOENT",
  );
});

test("a server of the release before gets the location of a photo in its own words", async () => {
  const photo = await file("phone.jpg", await phonePhoto({ width: 64, height: 48 }));
  const formerName = "renderPicture" as "renderImage";
  const { details, ...image } = await createDecoder().render(formerName, photo, turnOf(), still);
  expect(details).toMatchObject({ place: { latitude: 4347, longitude: 1189 } });
  expect(image).toMatchObject({ width: 48, height: 64, mediaType: "image/jpeg" });
});

test.runIf(everything)(
  "two members with bombs that no check counts: a third one waits for one of them, once",
  async () => {
    const processorSeconds = 1;
    // A second of it stands for the thirty that an image may take.
    const pixelsASecond = 30 * aSecond;
    const decoder = createDecoder({ program: uncounted, processorSeconds, pixelsASecond });
    const patienceMs = { waiting: 600_000, decoding: 600_000 };
    const queue = createDecodeQueue({ atOnce: 2, atOnceEach: 1, mostWaiting: 40, patienceMs });
    const began: string[] = [];
    const ended: string[] = [];
    let pixels = 0;
    const send = (sender: string, path: string) =>
      codeOf(
        queue.run(sender, ({ deadline, charge }) => {
          began.push(sender);
          const counted = (more: number) => {
            if (sender !== "cid") pixels += more;
            charge(more);
          };
          return decoder.render("renderImage", path, { deadline, charge: counted }, still);
        }),
      ).finally(() => sender !== "cid" && ended.push(sender));
    const bombs = [1, 2, 3].flatMap(() => [send("ana", scans), send("bea", grid)]);
    // Both slots are taken: the third one is next.
    expect(await send("cid", small)).toBe("none");
    expect(began.indexOf("cid")).toBe(2);
    while (!ended.includes("ana") || !ended.includes("bea")) await sleep(20);
    // Now they are known, and one slot is not theirs: it begins before another bomb ends.
    for (let more = 0; more < 3; more += 1) {
      const before = ended.length;
      const sent = send("cid", small);
      // When all that follows at once was done, and before any process is heard of: another may end just now.
      await new Promise(process.nextTick);
      expect([began.at(-1), ended.length]).toEqual(["cid", before]);
      expect(await sent).toBe("none");
    }
    expect(await Promise.all(bombs)).toEqual(Array<string>(6).fill("picture-too-complex"));
    // Six bombs took six budgets of processor time, and nothing more.
    expect(pixels / pixelsASecond).toBe(6 * processorSeconds);
  },
);

const parent = (path: string, program = "") =>
  spawn(process.execPath, ["server/test/decoder-parent.ts", path, program], {
    stdio: ["ignore", "ignore", "inherit"],
  });

/** How many modules are cached by a program that Node runs with an empty cache of this name. */
async function cachedBy(cache: string, words: string[]): Promise<number> {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, cache) };
  await once(spawn(process.execPath, words, { env }), "exit");
  return (await readdir(env.NODE_COMPILE_CACHE, { recursive: true })).length;
}

test("a decoder gets the cache of compiled code", async () => {
  const started = await cachedBy("with", ["server/test/decoder-parent.ts", small]);
  const code = 'await import("./server/features/posts/images/decoder.ts")';
  expect(started).toBeGreaterThan(2 * (await cachedBy("without", ["-e", code])));
});

test("a decoder that is at work dies with its server, and an idle one does not keep the server running", async () => {
  const done = Promise.withResolvers<number | null>();
  parent(small).on("exit", done.resolve);
  expect(await done.promise).toBe(0);

  await rm(`${scans}.pid`, { force: true });
  const killed = parent(scans, uncounted.href);
  while (!existsSync(`${scans}.pid`)) await sleep(20);
  await sleep(100);
  killed.kill("SIGKILL");
  await untilGone(Number(await readFile(`${scans}.pid`, "utf8")));
});

async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(20);
  }
}
