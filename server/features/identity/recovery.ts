import type { Database } from "#server/db/database.ts";
import { findLeaving, type Leaving } from "#server/features/identity/recovery.queries.ts";
import { signedOffer } from "#server/features/identity/signed-offer.ts";

type Deps = { db: Database; secret: string; secure: boolean };

/**
 * Signing in to an account that is to be deleted begins no session: the account is hidden, from
 * its owner too. The browser gets a signed cookie instead, good for nothing but keeping the account.
 */
export function createRecovery({ db, secret, secure }: Deps) {
  const offered = signedOffer({ secret, secure, name: "leaving", purpose: "keep-account" });

  /** For somebody who proved to be the account; null when it is not one that may come back. */
  async function offer(accountId: string): Promise<{ cookies: string[] } | null> {
    if (!(await findLeaving(db, accountId))) return null;
    return { cookies: [offered.cookieFor(accountId)] };
  }

  /** The account that this browser may still keep. */
  async function leavingOf({ cookie }: { cookie?: string | undefined }): Promise<Leaving | null> {
    const accountId = offered.accountOf(cookie);
    return accountId === null ? null : findLeaving(db, accountId);
  }

  return { offer, leavingOf, forgetOffer: offered.forget };
}

export type { Leaving };
