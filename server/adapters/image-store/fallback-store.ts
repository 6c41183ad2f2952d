import { isRefusal } from "#shared/errors.ts";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";

/**
 * The store that pictures are moved to, while some still lie in the one they come from: what is new
 * goes to the first, what is read may lie in either, what is removed goes from both.
 */
export function createFallbackStore(to: ImageStore, from: ImageStore): ImageStore {
  async function either<Found>(read: (store: ImageStore) => Promise<Found | null>) {
    // A host may show what is only half written: whole, it lies in the other one until then.
    const first = await read(to).catch((error: unknown) => {
      if (isRefusal(error) && error.code === "picture-damaged") return null;
      throw error;
    });
    // Moved and removed in between, it is in the first when it is in neither at first sight.
    return first ?? (await read(from)) ?? (await read(to));
  }
  return {
    put: to.put,
    // In the one that it is moved from first: either the move takes it along, or the picture is there
    // already when the other one is asked.
    add: async (key, variant) => {
      const before = await from.add(key, variant);
      return (await to.add(key, variant)) || before;
    },
    open: (key, width, type) => either((store) => store.open(key, width, type)),
    openOriginal: (key) => either((store) => store.openOriginal(key)),
    remove: async (keys) => {
      await from.remove(keys);
      await to.remove(keys);
    },
    list: async function* (before) {
      yield* to.list(before);
      yield* from.list(before);
    },
    clean: async (before) => {
      await to.clean(before);
      await from.clean(before);
    },
  };
}
