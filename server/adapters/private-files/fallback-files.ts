import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";

/**
 * Files of one place, and what still lies in another: since before IMAGE_STORE named a bucket, or
 * while pictures are moved. What is new goes to the first; they are all gone within days.
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
