import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, Later, send } from "../client.ts";
import { lostComment, removedImage, strangeFile } from "../controls.ts";
import {
  examine,
  install,
  checkAlive,
  waitForWrites,
  remove,
  start,
  untilItIsBack,
  whileTheyWrite,
  type Target,
} from "../target.ts";
import { photoOf } from "../photos.ts";
import { begin, skipped, type Fault, type Result } from "../result.ts";

/**
 * File systems in memory: room for the database's reserve and the space that uploads leave free, and quickly
 * filled.
 */
const sizes = { data: "700m", postgres: "500m" };
/** How long the disk stays full, milliseconds. */
const fullMs = 4000;

const title = "disk full";

type Which = { fault: string; full: readonly ("data" | "postgres")[] };

const all: Which[] = [
  { fault: `${title}: pictures`, full: ["data"] },
  { fault: `${title}: database`, full: ["postgres"] },
  { fault: `${title}: both at once`, full: ["data", "postgres"] },
];

/**
 * Two small file systems, one for the database and one for everything else, filled to the last byte while
 * members write: that of the images, that of the database, and both. Reads go on, writes get 507 with the
 * time to come again, and once there is room the server recovers by itself.
 */
export const disk: Fault = {
  name: "disk",
  short: false,
  run: async ({ short }) => {
    const { mount, mounted, unmount } = smallDisks();
    let target: Target | null = null;
    try {
      try {
        target = await install(
          {},
          {
            prepare: (dataDir) => {
              mount(dataDir, sizes.data);
              mount(join(dataDir, "postgres"), sizes.postgres);
            },
          },
        );
      } catch (error) {
        if (mounted.length === 2) throw error;
        return [skipped(title, "a separate file system can be mounted by root only")];
      }
      // the reserve is made ten seconds after a start
      await sleep(12_000);
      const results: Result[] = [];
      for (const which of all) results.push(await fill(target, which, short ? 1 : 5));
      return results;
    } finally {
      if (target) await remove(target, unmount);
      else unmount();
    }
  },
};

/** File systems of their own, in memory, which root alone can mount. */
export function smallDisks() {
  const mounted: string[] = [];
  const mount = (folder: string, size: string) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=711`, "tmpfs", folder], {
      stdio: "pipe",
    });
    mounted.push(folder);
  };
  const unmount = () => {
    for (const folder of mounted.toReversed()) execFileSync("umount", ["--lazy", folder]);
  };
  return { mount, mounted, unmount };
}

async function fill(target: Target, { fault, full }: Which, rounds: number): Promise<Result> {
  if (!target.server) await start(target);
  const result = begin(target);
  const folders = { data: target.dataDir, postgres: join(target.dataDir, "postgres") };
  const writesGoOn = !full.includes("postgres");
  await whileTheyWrite(target, async () => {
    for (let round = 0; round < rounds; round += 1) {
      await waitForWrites(target);
      const fillers = full.map((name) => join(folders[name], "filler"));
      fillers.forEach(fillUp);
      for (let waited = 0; waited < fullMs; waited += 500) {
        await checkAlive(target);
        await readsGoOn(target);
        await sleep(500);
        // Space that was freed meanwhile, such as the reserve, is filled as well, once.
        if (waited === 1500 && full.includes("data")) fillUp(join(folders.data, "filler more"));
      }
      if (full.includes("data")) await photosAreRefused(target);
      if (writesGoOn) await waitForWrites(target, 3);
      for (const filler of fillers) rmSync(filler);
      rmSync(join(folders.data, "filler more"), { force: true });
      await untilItIsBack(target, performance.now());
    }
  });
  const controls = writesGoOn ? [removedImage, strangeFile] : [lostComment];
  return result(fault, `${rounds} × filled to the last byte`, await examine(target, controls));
}

/** Fills a disk to the last byte with a file. */
export function fillUp(file: string): void {
  const handle = openSync(file, "w");
  const pieces = [2 ** 20, 2 ** 12].map((size) => Buffer.alloc(size));
  try {
    for (const piece of pieces) {
      try {
        while (writeSync(handle, piece) === piece.length);
      } catch {
        // No room for a chunk of this size.
      }
    }
  } finally {
    closeSync(handle);
  }
}

/** A photo that does not fit is refused as such, and nothing else is reported about it. */
async function photosAreRefused(target: Target): Promise<void> {
  const form = new FormData();
  const { bytes } = await photoOf("no room for this one");
  form.set("image", new Blob([new Uint8Array(bytes)], { type: "image/jpeg" }), "photo.jpg");
  const [member = null] = target.members;
  const outcome = await ask(target, "POST", "/api/images", { member, form }).catch(
    (error: unknown) => error,
  );
  if (!(outcome instanceof Later)) {
    target.ledger.isWrong("a photo was not refused while the disk of the pictures was full");
  }
}

async function readsGoOn(target: Target): Promise<void> {
  const [member = null] = target.members;
  const answer = await send(target.address, "GET", "/api/feed", { member }).catch(() => null);
  // PostgreSQL may be recovering for a moment.
  const isFine =
    answer?.status === 200 || (answer?.status === 503 && answer.headers["retry-after"]);
  if (!isFine)
    target.ledger.isWrong(`GET /api/feed on a full disk: ${answer?.status ?? "no answer"}`);
}
