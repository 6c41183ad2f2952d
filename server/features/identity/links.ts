import { randomInt } from "node:crypto";
import type { Database } from "#server/platform/db/database.ts";
import * as queries from "#server/features/identity/links.queries.ts";
import { hashToken } from "#server/platform/tokens.ts";
import { withdrawPending } from "#server/features/identity/verification/email-changes.queries.ts";
import { linkLifetimes } from "#shared/verification.ts";

/** The account of a link, and what else was stored with it. */
export type LinkContent = queries.LinkRow;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** 32 letters and digits, which no mail program wraps: 190 bits. */
const tokenLength = 32;
const tokenForm = /^[A-Za-z0-9]{32}$/;

/** What a mailed link lets its owner do, and for how long. */
const lives = {
  "verify-email": linkLifetimes.confirmEmail,
  "change-email": linkLifetimes.confirmEmail,
  /** for the previous mailbox: undoes a change of address */
  "keep-email": linkLifetimes.keepEmail,
  "reset-password": linkLifetimes.resetPassword,
  "sign-in": linkLifetimes.signIn,
};
export type LinkPurpose = keyof typeof lives;

/**
 * Not ended by `withdraw`: links that only prove who owns a mailbox. Somebody who took an account
 * over must not end the only way back by choosing another password.
 */
const irrevocable: ReadonlySet<LinkPurpose> = new Set(["verify-email", "keep-email"]);

/**
 * Single-use links, each for one purpose: the table has a hash of purpose and token, and taking one
 * is one atomic statement (docs/decisions/0063).
 */
export function createLinks({ db }: { db: Database }) {
  /** Makes a link; answers its token, which is stored nowhere. */
  async function issue(purpose: LinkPurpose, content: LinkContent): Promise<string> {
    const characters = Array.from(
      { length: tokenLength },
      () => alphabet[randomInt(alphabet.length)],
    );
    const token = characters.join("");
    const { accountId: account_id, detail } = content;
    const link = { token_hash: hash(purpose, token), account_id, detail };
    const row = { ...link, revocable: !irrevocable.has(purpose) };
    await queries.insertLink(db, row, lives[purpose].seconds);
    return token;
  }

  /** The content of a link that can still be used; null for any other. `take` consumes it. */
  async function find(purpose: LinkPurpose, token: string): Promise<LinkContent | null> {
    return tokenForm.test(token) ? queries.findLink(db, hash(purpose, token)) : null;
  }

  /** Consumes a link: of several at once one gets it, the others null. Joins the transaction. */
  async function take(purpose: LinkPurpose, token: string): Promise<LinkContent | null> {
    return tokenForm.test(token) ? queries.takeLink(db, hash(purpose, token)) : null;
  }

  /**
   * Ends mailed links that lead into an account: to sign in, choose a password or change the
   * address, and the change of address that waits for one.
   */
  async function withdraw(accountId: string): Promise<void> {
    await queries.deleteRevocableLinks(db, accountId);
    await withdrawPending(db, accountId);
  }

  return { issue, find, take, withdraw };
}

function hash(purpose: LinkPurpose, token: string): Buffer {
  return hashToken(`link:${purpose}:${token}`);
}
