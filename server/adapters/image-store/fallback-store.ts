import { isRefusal } from "#shared/errors.ts";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";

/**
 * The store that images are moved to, while some are still in the one they come from: new images go to the
 * first, reads try both, and removals go to both.
 */
export function createFallbackStore(to: ImageStore, from: ImageStore): ImageStore {
  async function either<Found>(read: (store: ImageStore) => Promise<Found | null>) {
    // A store may hold a half-written image: until then the other one still has it whole.
    const first = await read(to).catch((error: unknown) => {
      if (isRefusal(error) && error.code === "picture-damaged") return null;
      throw error;
    });
    // Moved and removed in between: if it was in neither at first, it is in the first store now.
    return first ?? (await read(from)) ?? (await read(to));
  }
  return {
    put: to.put,
    // First in the store that it is moved from: either the move takes the variant along, or the image has
    // arrived by the time the other store is asked.
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
