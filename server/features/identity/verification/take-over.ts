import type { Identity, SignInMethods } from "#server/features/identity/identity.ts";

/** How an account can be signed in to by what was set before its address was confirmed, and the path that ends it all. */
export type TakeOver = SignInMethods & { path: string };

/** Of a link to a new password: using it removes every other way in. */
export const takeOverLink = "take-over";

/**
 * Whoever confirmed an address owns the mailbox, but may not have made the account: somebody else
 * may have, with this address and a password of their own. The way to end theirs is the page that
 * sets a new password, opened by a link like a mailed one.
 */
export async function offerTakeOver(
  { links, signInMethods }: Pick<Identity, "links" | "signInMethods">,
  accountId: string,
): Promise<TakeOver> {
  const methods = await signInMethods.list(accountId);
  const token = await links.issue("reset-password", { accountId, detail: takeOverLink });
  return { ...methods, path: `/signIn/reset/${token}` };
}
