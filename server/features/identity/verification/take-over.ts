import type { Identity, SignInMethods } from "#server/features/identity/identity.ts";

/**
 * The sign-in methods that were set before an account's address was confirmed, and the path that
 * ends them all.
 */
export type TakeOver = SignInMethods & { path: string };

/** On a link to a new password: using it removes every other sign-in method. */
export const takeOverLink = "take-over";

/**
 * The one who confirmed an address owns the mailbox, but may not have made the account: somebody
 * else may have, with this address and a password of their own. It is ended on the page that sets a
 * new password, opened by a link like a mailed one.
 */
export async function offerTakeOver(
  { links, signInMethods }: Pick<Identity, "links" | "signInMethods">,
  accountId: string,
): Promise<TakeOver> {
  const methods = await signInMethods.list(accountId);
  const token = await links.issue("reset-password", { accountId, detail: takeOverLink });
  return { ...methods, path: `/signIn/reset/${token}` };
}
