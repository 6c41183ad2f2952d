import { existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { freeBytesIn } from "#server/platform/disk-space.ts";

const megabyte = 2 ** 20;
/** Reserved for when the disk is full: enough for a recovery and its checkpoint. */
const reserveBytes = 64 * megabyte;
/** With less than this PostgreSQL may soon be unable to write its log, which ends all its connections. */
export const lowBytes = 32 * megabyte;
/** With this much more than the reserve there is room again. */
const roomBytes = 96 * megabyte;
/** How often the disk is checked. */
const lookMs = 1000;
/** A Postcard that runs only for seconds, to try it out, needs no reserve. */
const firstReserveMs = 10_000;

type Options = {
  folder: string;
  log: Record<"info" | "error", (details: object, message: string) => void>;
  onFull: (full: boolean) => void;
  free?: (folder: string) => Promise<number>;
  now?: () => number;
};

/**
 * A file next to the database that is deleted when their disk is full: PostgreSQL can then still write what
 * it needs in order to be read, to recover and to stop. `onFull` is called when that begins and when it is
 * over: the next posts must not fill the room.
 */
export function createDiskReserve({ folder, log, onFull, ...given }: Options) {
  const { free = freeBytesIn, now = Date.now } = given;
  const file = join(folder, "reserve");
  const started = now();
  let full = false;
  let looking: Promise<void> | null = null;

  /** Checks the disk, and releases or creates the reserve. Never throws. */
  function look(): Promise<void> {
    looking ??= act()
      .catch((error: unknown) => log.error({ err: error }, "the disk could not be looked at"))
      .finally(() => (looking = null));
    return looking;
  }

  async function act(): Promise<void> {
    const bytes = await free(folder);
    const held = existsSync(file);
    if (bytes < lowBytes && !full) {
      await rm(file, { force: true });
      full = true;
      log.error({ freeBytes: bytes }, "the disk is full: nothing can be saved until there is room");
      onFull(true);
    } else if (full && bytes >= reserveBytes + roomBytes) {
      full = false;
      log.info({ freeBytes: bytes }, "the disk has room again");
      onFull(false);
    }
    const wanted = !full && !held && now() - started >= firstReserveMs;
    if (wanted && bytes >= reserveBytes + roomBytes) await makeReserve(file);
  }

  const timer = setInterval(() => void look(), lookMs).unref();
  return {
    look,
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}

async function makeReserve(file: string): Promise<void> {
  const draft = `${file}.draft`;
  const handle = await open(draft, "w", 0o600);
  try {
    // Not zeros: some file systems allocate no room for those.
    const part = crypto.getRandomValues(new Uint8Array(65_536));
    for (let written = 0; written < reserveBytes; written += part.length) {
      await handle.write(part);
    }
    await handle.close();
    await rename(draft, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}
