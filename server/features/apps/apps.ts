import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import type { NewId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/apps/apps.queries.ts";
import { createCallers, type AppCaller } from "#server/features/apps/callers.ts";
import { withParameters } from "#server/features/apps/redirects.ts";
import {
  allow,
  consentFor,
  register,
  type Asked,
  type Registration,
} from "#server/features/apps/registrations.ts";
import {
  end,
  exchange,
  issueToken,
  list,
  ownToken,
  revoke,
  type Client,
  type CodeGrant,
} from "#server/features/apps/tokens.ts";
import type { Viewer } from "#shared/views.ts";

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
    register: (typed: Registration, network: string) => register(deps, typed, network),
    consentFor: (asked: Asked) => consentFor(db, asked),
    allow: (viewer: Viewer, asked: Asked) => allow(db, viewer, asked),
    exchange: (client: Client, grant: CodeGrant) => exchange(deps, client, grant),
    ownToken: (client: Client, scope: string) => ownToken(deps, client, scope),
    /**
     * A token for the account that the app just signed up, with its rights. Joins the caller's
     * transaction.
     */
    giveNew: ({ app, scopes }: Pick<AppCaller, "app" | "scopes">, accountId: string) =>
      issueToken(deps, app.id, accountId, scopes),
    revoke: (client: Client, token: string) => revoke(db, client, token),
    list: (viewer: Viewer) => list(db, viewer),
    end: (viewer: Viewer, id: string) => end(db, viewer, id),
    /** Revokes all apps of an account. Joins the caller's transaction. */
    endAll: (accountId: string) => queries.deleteAll(db, accountId),
    /** Where the member is redirected: with the code, or with the reason why there is none. */
    answerAddress: withParameters,
    sweep: () => queries.sweepApps(db, retentionDays),
  };
}
