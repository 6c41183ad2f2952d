import type { createAuth } from "#server/features/identity/better-auth.ts";
import { generateRandomString } from "better-auth/crypto";
import type { Database } from "#server/db/database.ts";
import { deleteLinks } from "#server/features/identity/links.queries.ts";
import { withdrawPending } from "#server/features/identity/verification/email-changes.queries.ts";

/** What a mailed link lets its owner do. */
export type LinkPurpose =
  | "verify-email"
  | "change-email"
  /** for the mailbox before: undoes a change of address */
  | "keep-email"
  | "reset-password"
  | "sign-in";

/** Whose link it is, and what else was said when it was made. */
export type LinkContent = { accountId: string; detail: string };

/** 32 letters and digits: 190 bits. */
const tokenLength = 32;
const tokenForm = /^[A-Za-z0-9]{32}$/;
const accountIdLength = 36;

/**
 * What `withdraw` leaves alone: links that only prove whose a mailbox is. Somebody who took an
 * account over must not end the one way back by choosing another password.
 */
const kept: ReadonlySet<LinkPurpose> = new Set(["verify-email", "keep-email"]);
/** In front of what they are for, so that they are not found by their account. */
const keptMark = "+";

type Auth = Pick<ReturnType<typeof createAuth>, "$context">;

/**
 * Single-use links in better-auth's store of verifications: a hash of the token stands in the table,
 * and taking it is one atomic statement. See docs/decisions/0063 for why not its endpoints.
 */
export function createLinks({ auth, db }: { auth: Auth; db: Database }) {
  const store = async () => (await auth.$context).internalAdapter;

  /** Makes a link that lives for `seconds`; answers its token, which is stored nowhere. */
  async function issue(
    purpose: LinkPurpose,
    { accountId, detail }: LinkContent,
    seconds: number,
  ): Promise<string> {
    const token = generateRandomString(tokenLength, "a-z", "A-Z", "0-9");
    await (
      await store()
    ).createVerificationValue({
      identifier: identifierOf(purpose, token),
      value: `${kept.has(purpose) ? keptMark : ""}${accountId}${detail}`,
      expiresAt: new Date(Date.now() + seconds * 1000),
    });
    return token;
  }

  /** What a link that can still be used is for; null for any other. Using it up is `take`'s. */
  async function find(purpose: LinkPurpose, token: string): Promise<LinkContent | null> {
    if (!tokenForm.test(token)) return null;
    const found = await (await store()).findVerificationValue(identifierOf(purpose, token));
    return found && found.expiresAt.getTime() > Date.now() ? contentOf(found.value) : null;
  }

  /** Uses a link up: of several at once one gets it, the others null. Joins the transaction. */
  async function take(purpose: LinkPurpose, token: string): Promise<LinkContent | null> {
    if (!tokenForm.test(token)) return null;
    const taken = await (await store()).consumeVerificationValue(identifierOf(purpose, token));
    return taken ? contentOf(taken.value) : null;
  }

  /**
   * Ends what waits in mailboxes and leads into an account: links that sign in, choose a password or
   * change the address, and the change of address that waits for one.
   */
  async function withdraw(accountId: string): Promise<void> {
    await deleteLinks(db, accountId);
    await withdrawPending(db, accountId);
  }

  return { issue, find, take, withdraw };
}

function identifierOf(purpose: LinkPurpose, token: string): string {
  return `link:${purpose}:${token}`;
}

function contentOf(stored: string): LinkContent {
  const value = stored.startsWith(keptMark) ? stored.slice(keptMark.length) : stored;
  return { accountId: value.slice(0, accountIdLength), detail: value.slice(accountIdLength) };
}
