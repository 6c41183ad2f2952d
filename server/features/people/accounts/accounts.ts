import type { Database } from "#server/platform/db/database.ts";
import * as queries from "#server/features/people/accounts/accounts.queries.ts";
import { isUsername } from "#shared/usernames.ts";

/** Longest address that can be one: an email of 254 characters. */
const addressLength = 254;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The viewer: a member, or null for a visitor. */
type Asker = { id: string } | null;

/**
 * The account that an address or an id in a URL or a call means. Suspended and deleted accounts are
 * not found, nor are two accounts with a block between them by each other.
 */
export function createAccounts({ db }: { db: Database }) {
  /** `address` is an email, a username or a former username; letter case does not matter. */
  async function findByAddress(
    viewer: Asker,
    address: string,
  ): Promise<queries.FoundAccount | null> {
    const wanted = address.toLowerCase();
    if (isUsername(wanted)) return queries.findByUsername(db, viewer?.id ?? null, wanted);
    // PostgreSQL's text stores every character but NUL
    if (!wanted.includes("@") || wanted.length > addressLength || wanted.includes("\0"))
      return null;
    return queries.findByEmail(db, viewer?.id ?? null, wanted);
  }

  async function findById(viewer: Asker, id: string): Promise<queries.FoundAccount | null> {
    return uuid.test(id) ? queries.findVisibleById(db, viewer?.id ?? null, id) : null;
  }

  return { findByAddress, findById };
}
