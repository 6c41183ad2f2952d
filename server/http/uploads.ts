import { mkdir } from "node:fs/promises";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { ImageStores } from "#server/adapters/image-store/open.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";
import { storageRetryAfter } from "#server/platform/storage-faults.ts";

/** Images are many and light, archives few and heavy: neither waits for the other. */
export type UploadLane = keyof typeof limits.uploads.atOnce;

type Asked = {
  lane: UploadLane;
  /** an account, or the network of a visitor */
  from: string;
  /** bytes announced by the sender; null where it does not say */
  announced: number | null;
};

/** Files that are arriving here. */
export type Uploads = ReturnType<typeof createUploads>;

/** The disk is checked again each time this much of a file was written, bytes. */
const lookEvery = 16 * 1024 * 1024;

/**
 * Decides which files may come, before any of their bytes are read: so many at once from one sender and from
 * all, and as much as fits on the disk of `folder` beside what the database needs to go on. The folder is
 * made if it is missing (0700). Refuses with uploads-running, uploads-full, disk-full and picture-host-away.
 */
export function createUploads({
  folder,
  freeBytes = freeBytesIn,
  onDisk = (look) => look(),
}: {
  folder: string;
  /** bounds a check of the disk, and refuses where images could not be stored */
  onDisk?: ImageStores["onDisk"];
  freeBytes?: (folder: string) => Promise<number>;
}) {
  const under = { pictures: new Map<string, number>(), archives: new Map<string, number>() };
  /** bytes that were announced and are not written yet, of all senders */
  let expected = 0;

  async function admit({ lane, from, announced }: Asked) {
    const senders = under[lane];
    const own = senders.get(from) ?? 0;
    const { ofOne, ofAll } = limits.uploads.atOnce[lane];
    if (own >= ofOne) throw refuse("uploads-running", { retryAfter: 5 });
    if (countOf(lane) >= ofAll) throw refuse("uploads-full", { retryAfter: 30 });
    senders.set(from, own + 1);
    let coming = announced ?? 0;
    expected += coming;
    let sinceLook = 0;
    let over = false;

    function end(): void {
      if (over) return;
      over = true;
      expected -= coming;
      const left = (senders.get(from) ?? 1) - 1;
      if (left > 0) senders.set(from, left);
      else senders.delete(from);
    }

    /** Bytes that were written to the disk; resolves when there is room for more. */
    async function wrote(bytes: number): Promise<void> {
      const awaited = Math.min(bytes, coming);
      coming -= awaited;
      expected -= awaited;
      sinceLook += bytes;
      if (sinceLook < lookEvery) return;
      sinceLook = 0;
      await checkRoom(0);
    }

    try {
      await onDisk(() => mkdir(folder, { recursive: true, mode: 0o700 }));
      await checkRoom(expected);
    } catch (error) {
      end();
      throw error;
    }
    return { wrote, end };
  }

  async function checkRoom(bytes: number): Promise<void> {
    if ((await onDisk(() => freeBytes(folder))) - bytes < limits.uploads.reserve)
      throw refuse("disk-full", { retryAfter: storageRetryAfter });
  }

  const countOf = (lane: UploadLane) =>
    [...under[lane].values()].reduce((sum, own) => sum + own, 0);
  /** How many are arriving. */
  const count = () => ({ pictures: countOf("pictures"), archives: countOf("archives") });

  return { folder, admit, count };
}
