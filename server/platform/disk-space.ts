import { lstat, readdir, statfs } from "node:fs/promises";
import { join } from "node:path";

/** Free space on the disk of an existing folder, for this user, bytes. */
export async function freeBytesIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Bytes of a disk: free for this user, and all those not reserved for others. */
export type DiskSpace = { free: number; size: number };

/** Space on the disk of a folder, as df counts it. */
export async function diskSpaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, bfree, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: (blocks - bfree + bavail) * bsize };
}

/** How much disk space a folder takes, bytes. */
export async function diskUsage(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null);
  if (!found) return 0;
  const own = found.blocks * 512;
  if (!found.isDirectory()) return own;
  let sum = own;
  for (const name of await readdir(path)) sum += await diskUsage(join(path, name));
  return sum;
}
