import { createStore } from "#app/lib/store.ts";

/** Whether this page sends photos for an import. */
export const importUnderWay = createStore(false);
