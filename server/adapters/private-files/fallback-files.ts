import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";

/**
 * Files of one store, and those still in another: from before IMAGE_STORE named a bucket, or while images are
 * moved. New files go to the first; the old ones are all gone within days.
 */
export function createFallbackFiles(to: PrivateFiles, from: PrivateFiles): PrivateFiles {
  return {
    folder: to.folder,
    put: to.put,
    open: async (name) => (await to.open(name)) ?? from.open(name),
    local: async (name) => (await to.local(name)) ?? from.local(name),
    remove: async (names) => {
      await from.remove(names);
      await to.remove(names);
    },
    list: async function* (start) {
      yield* to.list(start);
      yield* from.list(start);
    },
    locate: to.locate,
  };
}
