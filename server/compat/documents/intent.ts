import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

/** The one change that a caller wants in a list of theirs, null for none. */
export type Intent<Key> = { add: Key } | { remove: Key } | null;

type Lists<Key> = {
  /** what was sent: each entry once, without those that mean nothing here */
  given: ReadonlySet<Key>;
  /** what the server would send now, newest last */
  sent: readonly Key[];
  /** of `given`, what is in the caller's list, also beyond what the server sends */
  held: ReadonlySet<Key>;
  /** the client named the copy it changed: it was not the shorter one of the list of accounts */
  exact: boolean;
};

/**
 * Reads the change that a caller wants from a whole list that was sent back. An entry beyond what
 * the server sends is never missing. A copy may also come from the list of all accounts, which has
 * the newest 20 only: one that has nothing older is read as such too. Refuses with conflict a list
 * with more than one change, and one that means different changes of the two copies.
 */
export function readIntent<Key>({ given, sent, held, exact }: Lists<Key>): Intent<Key> {
  const added = [...given].filter((key) => !held.has(key));
  const readings = [difference(added, sent, given)];
  const short = sent.slice(-limits.documents.listedEntries);
  const inShort = new Set(short);
  const older = [...given].some((key) => held.has(key) && !inShort.has(key));
  if (!exact && !older && short.length < sent.length) {
    readings.push(difference(added, short, given));
  }
  const [first, ...others] = readings.filter((reading) => reading !== "several");
  if (first === undefined || others.some((other) => !isSame(first, other)))
    throw refuse("conflict");
  return first;
}

function difference<Key>(
  added: readonly Key[],
  sent: readonly Key[],
  given: ReadonlySet<Key>,
): Intent<Key> | "several" {
  const removed = sent.filter((key) => !given.has(key));
  if (added.length + removed.length > 1) return "several";
  if (added.length === 1) return { add: added[0] as Key };
  return removed.length === 1 ? { remove: removed[0] as Key } : null;
}

function isSame<Key>(one: Intent<Key>, other: Intent<Key>): boolean {
  if (one === null || other === null) return one === other;
  if ("add" in one) return "add" in other && one.add === other.add;
  return "remove" in other && one.remove === other.remove;
}

/**
 * Reads likes: `given` says of each post whether the caller's like was sent with it, `held` whether
 * it is there now. Posts that are not in `held` say nothing. Refuses with conflict.
 */
export function readLike<Key>(
  given: Iterable<readonly [key: Key, liked: boolean]>,
  held: ReadonlyMap<Key, boolean>,
): { key: Key; liked: boolean } | null {
  const wished = new Map<Key, boolean>();
  for (const [key, liked] of given) {
    if (!held.has(key)) continue;
    // The same post twice, once liked and once not, is no clear change.
    if ((wished.get(key) ?? liked) !== liked) throw refuse("conflict");
    wished.set(key, liked);
  }
  const changes = [...wished].filter(([key, liked]) => held.get(key) !== liked);
  if (changes.length > 1) throw refuse("conflict");
  const [change] = changes;
  return change ? { key: change[0], liked: change[1] } : null;
}

/** An address for comparing: nobody's where PostgreSQL's text cannot hold it. */
export function foldAddress(address: string): string {
  return address.includes("\0") ? "" : address.toLowerCase().toWellFormed();
}

/** Whether one of the caller's addresses is among these. */
export function namesCaller(addresses: readonly string[], own: ReadonlySet<string>): boolean {
  return addresses.some((address) => own.has(foldAddress(address)));
}

/** How a client names a post: by its number and time. */
export function postKey({ postId, time }: { postId: number; time: number }): string {
  return `${postId}:${time}`;
}
