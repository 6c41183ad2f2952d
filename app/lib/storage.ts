/** A storage of this browser. Where it is forbidden or full, values last only as long as the page. */
const orNothing = (storage: () => Storage) => ({
  read(key: string): string | null {
    try {
      return storage().getItem(key);
    } catch {
      return null;
    }
  },
  /** The stored JSON value; null also for what is none. */
  readJson(key: string): unknown {
    try {
      return JSON.parse(storage().getItem(key) ?? "null");
    } catch {
      return null;
    }
  },
  /** null, or an empty text, removes the item. */
  write(key: string, text: string | null): void {
    try {
      if (text) storage().setItem(key, text);
      else storage().removeItem(key);
    } catch {
      // As described above.
    }
  },
});

/** For this tab only, and its next documents. */
export const tabStorage = orNothing(() => sessionStorage);
/** For all tabs, and for the next visit. */
export const browserStorage = orNothing(() => localStorage);
