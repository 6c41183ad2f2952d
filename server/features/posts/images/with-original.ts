import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { withTemporaryFile } from "#server/platform/temporary-file.ts";

type Deps = { store: Pick<ImageStore, "openOriginal">; dataDir: string };

/** Works with an image's original as a file of this machine; null where the store does not have it. */
export async function withOriginal<T>(
  { store, dataDir }: Deps,
  key: string,
  work: (path: string) => Promise<T>,
): Promise<T | null> {
  const original = await store.openOriginal(key);
  if (!original) return null;
  return withTemporaryFile(join(dataDir, "tmp"), "original", async (path) => {
    await pipeline(original.read(), createWriteStream(path, { mode: 0o600 }));
    return work(path);
  });
}
