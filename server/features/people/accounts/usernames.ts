import { randomBytes } from "node:crypto";
import type { Database } from "#server/db/database.ts";
import { isUsernameTaken } from "#server/features/people/accounts/accounts.queries.ts";
import { isUsername, suggestUsername } from "#shared/usernames.ts";

/** 32 letters and digits that are not mistaken for one another. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";

function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
}

/**
 * A username for somebody new: made from the name, with a short suffix where that is taken or
 * reserved; `user_…` without a name. Another sign-up may take it first: the unique keys of
 * `accounts` and `usernames` decide, and the caller asks again.
 */
export async function pickUsername(db: Database, fullName: string): Promise<string> {
  const base = suggestUsername(fullName);
  if (base === "user") return `user_${randomText(7)}`;
  if (isUsername(base) && !(await isUsernameTaken(db, base))) return base;
  return `${base}_${randomText(4)}`;
}
