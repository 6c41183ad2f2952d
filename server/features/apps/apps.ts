import type { Logger } from "pino";
import { bind } from "#server/platform/bind.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { NewId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/apps/apps.queries.ts";
import { createCallers, type AppCaller } from "#server/features/apps/callers.ts";
import { withParameters } from "#server/features/apps/redirects.ts";
import { allow, consentFor, register } from "#server/features/apps/registrations.ts";
import { end, exchange, issueToken, list, ownToken, revoke } from "#server/features/apps/tokens.ts";

/** days after which an app that nobody authorizes is deleted */
const retentionDays = 30;

type Deps = {
  db: Database;
  log: Pick<Logger, "error">;
  /** counts what a network registers */
  countRegistration?: (network: string) => Promise<unknown>;
  newId?: NewId;
};

/** Apps of other people: how they are registered, authorized by members, recognized and revoked. */
export function createApps(deps: Deps) {
  const { db } = deps;
  return {
    ...createCallers(deps),
    ...bind(deps, { register, exchange, ownToken }),
    ...bind(db, { consentFor, allow, revoke, list, end }),
    /**
     * A token for the account that the app just signed up, with its rights. Joins the caller's
     * transaction.
     */
    giveNew: ({ app, scopes }: Pick<AppCaller, "app" | "scopes">, accountId: string) =>
      issueToken(deps, app.id, accountId, scopes),
    /** Revokes all apps of an account. Joins the caller's transaction. */
    endAll: (accountId: string) => queries.deleteAll(db, accountId),
    /** Where the member is redirected: with the code, or with the reason why there is none. */
    answerAddress: withParameters,
    sweep: () => queries.sweepApps(db, retentionDays),
  };
}
