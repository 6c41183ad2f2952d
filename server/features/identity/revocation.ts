import type { Database } from "#server/db/database.ts";
import type { createDevices } from "#server/features/identity/devices.ts";
import type { createLinks } from "#server/features/identity/links.ts";
import type { createSessions } from "#server/features/identity/sessions.ts";

type Deps = {
  db: Database;
  devices: Pick<ReturnType<typeof createDevices>, "forget">;
  links: Pick<ReturnType<typeof createLinks>, "withdraw">;
  sessions: Pick<ReturnType<typeof createSessions>, "endAll">;
  /** Ends what apps of other people were let in with; joins the transaction. */
  endApps?: ((accountId: string) => Promise<void>) | undefined;
};

/** Signing out everywhere is worth something only if nothing that was begun before leads back in. */
export function createRevocation({ db, devices, links, sessions, endApps }: Deps) {
  /**
   * Ends every session of an account, or every one but `except`, from its next request on; with
   * them sign-ins that owe a code, mailed links, a change of address that was not confirmed, and
   * what devices are known, and, unless they may stay, the apps that were let in. Joins the caller's
   * transaction.
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
