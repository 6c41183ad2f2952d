import { createHmac, timingSafeEqual } from "node:crypto";
import type { Database } from "#server/db/database.ts";
import { isId } from "#server/db/ids.ts";
import { readCookie, writeCookie } from "#server/features/identity/cookies.ts";
import { findLeaving, type Leaving } from "#server/features/identity/recovery.queries.ts";

/** How long somebody who signed in may think about it, seconds. */
const holdsFor = 30 * 60;

type Deps = { db: Database; secret: string; secure: boolean };

/**
 * Signing in to an account that is to be deleted begins no session: the account is hidden, from
 * its owner too. The browser gets a signed cookie instead, good for nothing but keeping the account.
 */
export function createRecovery({ db, secret, secure }: Deps) {
  const name = secure ? "__Host-postcard.leaving" : "postcard.leaving";

  function sign(text: string): string {
    return createHmac("sha256", secret).update(`keep-account:${text}`).digest("base64url");
  }

  /** For somebody who proved to be the account; null when it is not one that may come back. */
  async function offer(accountId: string): Promise<{ cookies: string[] } | null> {
    if (!(await findLeaving(db, accountId))) return null;
    const text = `${accountId}.${Date.now() + holdsFor * 1000}`;
    const value = `${text}.${sign(text)}`;
    return { cookies: [writeCookie({ name, value, maxAge: holdsFor, secure })] };
  }

  /** The account that this browser may still keep. */
  async function leavingOf({ cookie }: { cookie?: string | undefined }): Promise<Leaving | null> {
    const value = readCookie(cookie ?? "", name);
    if (value === null) return null;
    const [accountId = "", until = "", signature = ""] = value.split(".");
    const right = Buffer.from(sign(`${accountId}.${until}`));
    const given = Buffer.from(signature);
    if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
    if (!isId(accountId) || Number(until) < Date.now()) return null;
    return findLeaving(db, accountId);
  }

  /** The Set-Cookie value that makes a browser forget the offer. */
  const forgetOffer = writeCookie({ name, value: "", maxAge: 0, secure });

  return { offer, leavingOf, forgetOffer };
}

export type { Leaving };
