import type { ProviderSettings } from "#server/adapters/identity-providers/settings.ts";
import type { Database } from "#server/platform/db/database.ts";
import * as queries from "#server/features/identity/credentials.queries.ts";
import {
  lockSignInMethods,
  readSignInMethods,
} from "#server/features/identity/sign-in-methods.queries.ts";
import { refuse } from "#shared/errors.ts";

/** How an account can be signed in to; providers by the name that people know. */
export type SignInMethods = { password: boolean; passkeys: number; providers: string[] };

type Deps = { db: Database; providers: readonly ProviderSettings[] };

/** Issuers may have a slash at their end or not (OpenID Connect Discovery, section 4.1). */
export function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, "") === other.replace(/\/$/, "");
}

/**
 * The sign-in methods of an account: its password, its passkeys, the providers it is connected
 * with.
 */
export function createSignInMethods({ db, providers }: Deps) {
  /** A provider that the operator removed from the configuration does not count any more. */
  function leadsIn(way: string): boolean {
    return (
      way === "credential" ||
      way === "passkey" ||
      providers.some(({ issuer }) => isSameIssuer(issuer, way))
    );
  }

  /**
   * Removes a sign-in method, unless it is the last one: then refuses with last-way-in and undoes
   * what `act` did. Of several at once for one account, each waits for the one before.
   */
  async function remove(accountId: string, act: () => Promise<void>): Promise<void> {
    await db.transaction(async () => {
      await lockSignInMethods(db, accountId);
      await act();
      if (!(await readSignInMethods(db, accountId)).some(leadsIn)) throw refuse("last-way-in");
    });
  }

  async function list(accountId: string): Promise<SignInMethods> {
    const ways = await readSignInMethods(db, accountId);
    return {
      password: ways.includes("credential"),
      passkeys: ways.filter((way) => way === "passkey").length,
      providers: providers
        .filter(({ issuer }) => ways.some((way) => isSameIssuer(issuer, way)))
        .map(({ label }) => label),
    };
  }

  /**
   * Leaves an account only its password: passkeys, the second factor, identity providers and
   * sign-ins in progress are removed. For a mailbox's owner who takes over an account that somebody
   * else made with its address. Joins the caller's transaction.
   */
  async function removeOthers(accountId: string): Promise<void> {
    await db.transaction(() => queries.removeSignInMethods(db, accountId));
  }

  /** Those that were added since a moment. Joins the caller's transaction. */
  async function removeSince(accountId: string, since: Date): Promise<void> {
    await queries.removeSignInMethodsSince(db, accountId, since);
  }

  return { list, remove, removeOthers, removeSince };
}
