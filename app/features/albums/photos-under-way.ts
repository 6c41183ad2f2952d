import { photosUnderWayKey as key } from "#app/lib/browser-data.ts";
import { browserStorage } from "#app/lib/storage.ts";
import { createStore } from "#app/lib/store.ts";

const store = createStore(
  // A server has no storage, and Node warns whoever asks it for one.
  !import.meta.env.SSR && browserStorage.read(key) !== null,
);

/** Whether photos are on their way into albums, of this page or of an earlier one. */
export const photosUnderWay = {
  subscribe: store.subscribe,
  now: store.now,
  set(underWay: boolean): void {
    browserStorage.write(key, underWay ? "1" : null);
    store.set(underWay);
  },
};
