import { tabStorage } from "#app/lib/storage.ts";

/** A comment that is not answered yet. */
export type Unsent = {
  /** an Idempotency-Key, and its row's id */
  key: string;
  body: string;
  /** the comment that it replies to, and the one whose thread it is in */
  replyTo: string | null;
  rootId: string | null;
  /** when it was written, epoch milliseconds */
  at: number;
  /** why it is marked as not posted: from then on only its writer sends it */
  problem?: string | undefined;
};

/** The server remembers a key for a day: sent again after that, a comment could be posted twice. */
const resendWithinMs = 20 * 60 * 60 * 1000;

/** Comments that were sent and not answered yet, or not posted, stored in this tab under `storageKey`. */
export function unsentAt(storageKey: string): Unsent[] {
  const stored = tabStorage.readJson(storageKey);
  const all = Array.isArray(stored) ? (stored as Unsent[]) : [];
  return all.filter(({ at, problem }) => problem !== undefined || Date.now() - at < resendWithinMs);
}

/** Stores it, or its new state, at its position in the order. */
export function storeUnsent(storageKey: string, unsent: Unsent): void {
  const all = unsentAt(storageKey);
  const at = all.findIndex(({ key }) => key === unsent.key);
  write(storageKey, at === -1 ? [...all, unsent] : all.with(at, unsent));
}

export function dropUnsent(storageKey: string, key: string): void {
  write(
    storageKey,
    unsentAt(storageKey).filter((unsent) => unsent.key !== key),
  );
}

function write(storageKey: string, all: Unsent[]): void {
  // Where nothing can be stored they are still sent, once.
  tabStorage.write(storageKey, all.length > 0 ? JSON.stringify(all) : null);
}
