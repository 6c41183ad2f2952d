import type { Database } from "#server/platform/db/database.ts";
import type { createDevices } from "#server/features/identity/devices.ts";
import type { createLinks } from "#server/features/identity/links.ts";
import type { createSessions } from "#server/features/identity/sessions.ts";

type Deps = {
  db: Database;
  devices: Pick<ReturnType<typeof createDevices>, "forget">;
  links: Pick<ReturnType<typeof createLinks>, "withdraw">;
  sessions: Pick<ReturnType<typeof createSessions>, "endAll">;
  /** Ends the tokens of apps of other people; joins the transaction. */
  endApps?: ((accountId: string) => Promise<void>) | undefined;
};

/** Signing out everywhere must leave nothing from before that leads back in. */
export function createRevocation({ db, devices, links, sessions, endApps }: Deps) {
  /**
   * Ends every session of an account, or every one but `except`, from its next request on; with
   * them sign-ins that wait for a code, mailed links, an unconfirmed change of address, known
   * devices and, unless they may stay, authorized apps. Joins the caller's transaction.
   */
  return async function endSessions(
    accountId: string,
    { except, keepApps = false }: { except?: string; keepApps?: boolean } = {},
  ): Promise<void> {
    await db.transaction(async () => {
      await devices.forget(accountId);
      await sessions.endAll(accountId, except === undefined ? {} : { except });
      await links.withdraw(accountId);
      if (!keepApps) await endApps?.(accountId);
    });
  };
}
