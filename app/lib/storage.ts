/** A storage of this browser's. Forbidden or full, it holds nothing, and what was to be kept lasts as long as the page. */
const orNothing = (storage: () => Storage) => ({
  read(key: string): string | null {
    try {
      return storage().getItem(key);
    } catch {
      return null;
    }
  },
  /** What was written there as JSON; null also for what is none. */
  readJson(key: string): unknown {
    try {
      return JSON.parse(storage().getItem(key) ?? "null");
    } catch {
      return null;
    }
  },
  /** null, or no text, takes away what stands there. */
  write(key: string, text: string | null): void {
    try {
      if (text) storage().setItem(key, text);
      else storage().removeItem(key);
    } catch {
      // As said above.
    }
  },
});

/** For this tab alone, and its next documents. */
export const tabStorage = orNothing(() => sessionStorage);
/** For all tabs, and for the next visit. */
export const browserStorage = orNothing(() => localStorage);
