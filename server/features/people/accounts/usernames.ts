import { randomBytes } from "node:crypto";
import anyAscii from "any-ascii";
import type { Database } from "#server/platform/db/database.ts";
import { isUsernameTaken } from "#server/features/people/accounts/accounts.queries.ts";
import { limits } from "#shared/limits.ts";
import { normalizeText } from "#shared/normalize.ts";
import { isUsername } from "#shared/usernames.ts";

/** 32 letters and digits that do not look like one another. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";

function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
}

/**
 * The username a name suggests, in the letters a to z: "Þór Örn" → "thor_orn". What is neither
 * letter nor digit separates words, so that an emoji is not spelled out. Null where too little is
 * left. Leaves room for the suffix that makes it unique.
 */
export function suggestUsername(fullName: string): string | null {
  const base = normalizeText(fullName, "NFC")
    .replace(/\p{Cf}/gu, "")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word) =>
      anyAscii(word)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, ""),
    )
    .filter((word) => word !== "")
    .join("_")
    .slice(0, limits.username.max - 8)
    .replace(/_$/, "");
  return base.length >= limits.username.min ? base : null;
}

/** A letter of a script that any-ascii writes without its vowels: Arabic, Hebrew, Devanagari, Thai and so on. */
const unspelled =
  /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{Script=Bopomofo}\p{Script=Common}])\p{L}/u;

/** Whether a username made from this name can be read. */
export const readsWell = (fullName: string): boolean => !unspelled.test(fullName);

const nameless = new RegExp(`^user_[${alphabet}]{7}$`);
const suffix = new RegExp(`^_[${alphabet}]{4}$`);

/** Whether `pickUsername` made this username, and nobody can read it: from no name, or from one like محمد. */
export function isMakeshift(username: string, fullName: string): boolean {
  if (nameless.test(username)) return true;
  const base = readsWell(fullName) ? null : suggestUsername(fullName);
  if (base === null || !username.startsWith(base)) return false;
  return username === base || suffix.test(username.slice(base.length));
}

/**
 * A username for somebody new: made from the name, with a short suffix where that is taken or
 * reserved; `user_…` without a name. Another sign-up may take it first: the unique keys of
 * `accounts` and `usernames` decide, and the caller asks again.
 */
export async function pickUsername(db: Database, fullName: string): Promise<string> {
  const base = suggestUsername(fullName);
  if (base === null) return `user_${randomText(7)}`;
  if (isUsername(base) && !(await isUsernameTaken(db, base))) return base;
  return `${base}_${randomText(4)}`;
}
