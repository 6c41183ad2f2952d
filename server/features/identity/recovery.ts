import type { Database } from "#server/platform/db/database.ts";
import { findLeaving, type Leaving } from "#server/features/identity/recovery.queries.ts";
import { signedCookie } from "#server/features/identity/signed-cookie.ts";

type Deps = { db: Database; secret: string; secure: boolean };

/**
 * Signing in to an account that is to be deleted begins no session: the account is hidden, from its
 * owner too. The browser gets a signed cookie instead, which only serves to keep the account.
 */
export function createRecovery({ db, secret, secure }: Deps) {
  const find = (accountId: string) => findLeaving(db, accountId);
  const offer = { secret, secure, name: "leaving", purpose: "keep-account", find };
  const { make, of, forget } = signedCookie(offer);
  return { offer: make, leavingOf: of, forgetOffer: forget };
}

export type { Leaving };
