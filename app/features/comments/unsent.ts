import { tabStorage } from "#app/lib/storage.ts";

/** A comment that is not answered yet. */
export type Unsent = {
  /** an Idempotency-Key, and its row's id */
  key: string;
  body: string;
  /** the comment that it answers, and the one under which it stands then */
  replyTo: string | null;
  rootId: string | null;
  /** when it was written, epoch milliseconds */
  at: number;
  /** why it is marked as not posted: from then on only its writer sends it */
  problem?: string | undefined;
};

/** The server knows a key for a day: sent again after that, a comment could stand there twice. */
const keptMs = 20 * 60 * 60 * 1000;

/** Comments that were sent and not answered yet, or not posted, kept in this tab under `place`. */
export function unsentAt(place: string): Unsent[] {
  const kept = tabStorage.readJson(place);
  const all = Array.isArray(kept) ? (kept as Unsent[]) : [];
  return all.filter(({ at, problem }) => problem !== undefined || Date.now() - at < keptMs);
}

/** Keeps it, or what became of it, at its place in their order. */
export function keepUnsent(place: string, unsent: Unsent): void {
  const all = unsentAt(place);
  const at = all.findIndex(({ key }) => key === unsent.key);
  write(place, at === -1 ? [...all, unsent] : all.with(at, unsent));
}

export function dropUnsent(place: string, key: string): void {
  write(
    place,
    unsentAt(place).filter((unsent) => unsent.key !== key),
  );
}

function write(place: string, all: Unsent[]): void {
  // Where nothing can be kept they go out all the same, once.
  tabStorage.write(place, all.length > 0 ? JSON.stringify(all) : null);
}
