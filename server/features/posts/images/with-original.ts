import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";

type Deps = { store: Pick<ImageStore, "openOriginal">; dataDir: string };

/** Works with an image's original as a file of this machine; null where the store does not have it. */
export async function withOriginal<T>(
  { store, dataDir }: Deps,
  key: string,
  work: (path: string) => Promise<T>,
): Promise<T | null> {
  const folder = join(dataDir, "tmp");
  const path = join(folder, `${randomUUID()}.original`);
  try {
    const original = await store.openOriginal(key);
    if (!original) return null;
    await mkdir(folder, { recursive: true });
    await pipeline(original.read(), createWriteStream(path, { mode: 0o600 }));
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}
