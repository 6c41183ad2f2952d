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
