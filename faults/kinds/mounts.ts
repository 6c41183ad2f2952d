import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { canKillMounts, killMount } from "#server/test/dead-mount.ts";
import { ask, send } from "../client.ts";
import { lostComment, removedImage } from "../controls.ts";
import {
  examine,
  install,
  checkAlive,
  waitForWrites,
  newFolder,
  remove,
  start,
  untilItIsBack,
  whileTheyWrite,
  type Target,
} from "../target.ts";
import { photoOf } from "../photos.ts";
import { begin, skipped, type Fault, type Result } from "../result.ts";

const title = "dead mount";
/** Longer than a read of images is waited for, milliseconds. */
const deadMs = 20_000;

/**
 * A file system mounted over the folder of the images, and one over that of the backups, that never answers:
 * texts are written all the while, images get 503, and come back once the disk does.
 */
export const mounts: Fault = {
  name: "mounts",
  short: false,
  run: async ({ short }) => {
    if (!canKillMounts)
      return [skipped(title, "a disk can be made to die by root only, with FUSE")];
    const backups = newFolder();
    const target = await install({ BACKUP_DIR: backups });
    try {
      return [
        await die(target, "pictures", join(target.dataDir, "images"), short ? 1 : 3),
        await die(target, "backups", backups, short ? 1 : 3),
      ];
    } finally {
      await remove(target);
    }
  },
};

async function die(
  target: Target,
  which: "pictures" | "backups",
  folder: string,
  rounds: number,
): Promise<Result> {
  if (!target.server) await start(target);
  const result = begin(target);
  const address = await uploadPhoto(target);
  mkdirSync(folder, { recursive: true });
  let seen = 0;
  await whileTheyWrite(target, async () => {
    for (let round = 0; round < rounds; round += 1) {
      await waitForWrites(target);
      // The control: with a working disk, images are not refused.
      if (await isRefused(target, address))
        target.ledger.isWrong("an image of a live disk was refused");
      const mount = killMount(folder);
      if (!mount) throw new Error("No mount could be made.");
      try {
        const refused = which === "pictures" && (await isRefused(target, address));
        if (refused) seen += 1;
        for (let waited = 0; waited < deadMs; waited += 1000) {
          await checkAlive(target);
          await feedIsRead(target);
          await sleep(1000);
        }
        if (which === "backups" && !(await waitForWrites(target))) {
          target.ledger.isWrong("nothing was written while the disk of the backups was gone");
        }
      } finally {
        mount.revive();
      }
      await untilItIsBack(target, performance.now());
    }
  });
  if (which === "pictures" && seen < rounds)
    target.ledger.isWrong("a dead disk was not seen by a read");
  const controls = which === "pictures" ? [removedImage] : [lostComment];
  const injected = `${rounds} × without an answer for ${deadMs / 1000} s`;
  return result(`${title}: ${which}`, injected, await examine(target, controls));
}

async function uploadPhoto(target: Target): Promise<string> {
  const form = new FormData();
  const { bytes } = await photoOf("one that is read");
  form.set("image", new Blob([new Uint8Array(bytes)], { type: "image/jpeg" }), "photo.jpg");
  const [member = null] = target.members;
  const { text } = await ask(target, "POST", "/api/images", { member, form });
  const { data } = JSON.parse(text) as { data: { url: string } };
  return new URL(data.url).pathname;
}

async function isRefused(target: Target, path: string): Promise<boolean> {
  const { status, headers } = await send(target.address, "GET", path, { patience: 30_000 });
  return status === 503 && headers["retry-after"] !== undefined;
}

async function feedIsRead(target: Target): Promise<void> {
  const [member = null] = target.members;
  const answer = await send(target.address, "GET", "/api/feed", { member }).catch(() => null);
  if (answer?.status !== 200)
    target.ledger.isWrong(`GET /api/feed beside a dead disk: ${answer?.status ?? "no answer"}`);
}
