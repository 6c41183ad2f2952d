import { statfs } from "node:fs/promises";

/** Room on the disk of a folder that is there, for this user, bytes. */
export async function freeBytesIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
