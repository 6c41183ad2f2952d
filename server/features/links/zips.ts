import type { Readable } from "node:stream";
import type { Logger } from "pino";
import { ZipFile } from "yazl";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { networkOf } from "#server/platform/networks.ts";
import type { Guest } from "#server/features/links/guest-entry.ts";
import type { GuestPhoto, ListedPhoto } from "#server/features/links/guests.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

type Deps = {
  store: Pick<ImageStore, "open">;
  log: Pick<Logger, "warn">;
  /** the photo at its turn, or null: the link may have ended since */
  photo: (id: string, key: string, guest: Guest) => Promise<GuestPhoto | null>;
};

const { ofOne, ofAll, minutes } = limits.sharedLinks.zips;

type Asked = { id: string; guest: Guest; photos: readonly ListedPhoto[] };

/**
 * Zips of the photos of links, written while they are sent: memory holds a chunk of one photo, whatever their number.
 * Each photo is asked for again when its turn comes, so a link that ends ends its zips too. They hold the largest
 * variant, which has nothing of the original's metadata.
 */
export function createZips({ store, log, photo }: Deps) {
  const running = new Map<string, number>();

  /** Refuses with zips-running. */
  function begin({ id, guest, photos }: Asked): Readable {
    const leave = takePlace(running, `${id} ${networkOf(guest.ip)}`);
    const zip = new ZipFile();
    const output = zip.outputStream as Readable;
    let reading: Readable | undefined;
    const stop = setTimeout(() => output.destroy(), minutes * 60_000).unref();
    output.once("close", () => {
      clearTimeout(stop);
      reading?.destroy();
      leave();
    });
    zip.on("error", (error) => output.destroy(error as Error));

    async function openPhoto(key: string): Promise<Readable> {
      const found = output.destroyed ? null : await photo(id, key, guest);
      const width = found?.widths.at(-1);
      const file = width === undefined ? null : await store.open(key, width);
      if (!file) throw new Error("a photo of a zip for guests is not there any more");
      reading = file.read();
      return reading;
    }

    async function pass(key: string, done: (error: null, photo: Readable) => void): Promise<void> {
      try {
        done(null, await openPhoto(key));
      } catch (error) {
        log.warn({ err: error, key }, "a zip for guests was broken off");
        output.destroy();
      }
    }

    for (const [index, { key, at }] of photos.entries()) {
      // In the order of the page, whoever the authors are.
      const name = `${String(index + 1).padStart(4, "0")}-${new Date(at).toISOString().slice(0, 10)}.webp`;
      const options = { compress: false, mtime: new Date(at), mode: 0o100644 };
      zip.addReadStreamLazy(name, options, (done) => void pass(key, done));
    }
    zip.end();
    return output;
  }

  return { begin };
}

/** Takes a place; gives it back once. */
function takePlace(running: Map<string, number>, subject: string): () => void {
  const own = running.get(subject) ?? 0;
  const all = [...running.values()].reduce((sum, count) => sum + count, 0);
  if (own >= ofOne || all >= ofAll) throw refuse("zips-running", { retryAfter: 60 });
  running.set(subject, own + 1);
  let taken = true;
  return () => {
    if (!taken) return;
    taken = false;
    const left = (running.get(subject) ?? 1) - 1;
    if (left > 0) running.set(subject, left);
    else running.delete(subject);
  };
}
