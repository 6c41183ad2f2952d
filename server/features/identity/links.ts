import type { createAuth } from "#server/features/identity/better-auth.ts";
import { generateRandomString } from "better-auth/crypto";
import type { Database } from "#server/db/database.ts";
import { deleteLinks } from "#server/features/identity/links.queries.ts";

/** What a mailed link lets its owner do. */
export type LinkPurpose = "verify-email" | "change-email" | "reset-password" | "sign-in";

/** Whose link it is, and what else was said when it was made. */
export type LinkContent = { accountId: string; detail: string };

/** 32 letters and digits: 190 bits. */
const tokenLength = 32;
const tokenForm = /^[A-Za-z0-9]{32}$/;
const accountIdLength = 36;

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
      value: `${accountId}${detail}`,
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

  /** Ends every link of an account that has not been used yet. */
  async function withdraw(accountId: string): Promise<void> {
    await deleteLinks(db, accountId);
  }

  return { issue, find, take, withdraw };
}

function identifierOf(purpose: LinkPurpose, token: string): string {
  return `link:${purpose}:${token}`;
}

function contentOf(value: string): LinkContent {
  return { accountId: value.slice(0, accountIdLength), detail: value.slice(accountIdLength) };
}
