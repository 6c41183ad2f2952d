import type { Logger } from "pino";
import { createIdentityProviders } from "#server/adapters/identity-providers/index.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId, type NewId } from "#server/platform/db/ids.ts";
import type { Identity } from "#server/features/identity/identity.ts";
import { createAttemptLimits, type LimitNumbers } from "#server/features/limits/index.ts";
import type { Follows } from "#server/features/people/index.ts";
import { networkOf } from "#server/platform/networks.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { createAttempts, type Begun } from "#server/features/identity/providers/attempts.ts";
import { sweepAttempts } from "#server/features/identity/providers/attempts.queries.ts";
import { createConnections } from "#server/features/identity/providers/connections.ts";
import {
  finish,
  redirectUri,
  problemFor,
  type Asking,
  type FinishRequest,
} from "#server/features/identity/providers/finish.ts";
import { createAccountsOfIdentities } from "#server/features/identity/providers/identity-accounts.ts";
import { problem, type ProviderView } from "#shared/providers.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  log: Pick<Logger, "warn" | "info">;
  config: Pick<Config, "publicUrl" | "rateLimits"> & Partial<Pick<Config, "providers">>;
  secrets: { authSecret: string };
  identity: Pick<Identity, "signIn" | "signUp" | "confirmation" | "signInMethods" | "notifyOwner">;
  follows: Pick<Follows, "followOnArrival">;
  newId?: NewId | undefined;
  limitNumbers?: LimitNumbers;
  providerFetch?: typeof fetch | undefined;
};

export type BeginRequest = {
  provider: string;
  /** the origin of the browser's request */
  origin: string;
  /** a path of ours */
  returnTo: string;
  inPopup: boolean;
  /** the code of an invitation, for a first sign-in */
  invitation?: string | null;
  /** the id of the account somebody came for: a new account follows it */
  follow?: string | null;
  client: ClientInfo;
};

type Beginning = Asking & { attemptLimits: ReturnType<typeof createAttemptLimits> };

/** Signing in through identity providers, and connecting them with an account. */
export function createProviders(deps: Deps) {
  const { db, log, config, identity, follows, newId } = deps;
  const { publicUrl, providers: settings = [] } = config;
  const adapters = createIdentityProviders(settings, deps.providerFetch ?? fetch);
  const attemptLimits = createAttemptLimits({
    db,
    secret: deps.secrets.authSecret,
    enabled: config.rateLimits,
    numbers: deps.limitNumbers,
  });
  const attempts = createAttempts({ db, secure: publicUrl.startsWith("https:") });
  const connections = createConnections({ db, settings, identity, newId });
  const { accountOf } = createAccountsOfIdentities({
    db,
    attemptLimits,
    newId,
    welcome: identity.signUp.welcome,
    admission: identity.signUp.admission,
    notifyLinked: (accountId, issuer) =>
      identity.notifyOwner(accountId, {
        what: "provider-connected",
        label: connections.labelOf(issuer),
      }),
  });
  const asking = { log, publicUrl, adapters, attempts };
  const beginning = { ...asking, attemptLimits };
  const finishing = { ...asking, db, identity, follows, connections, accountOf };
  for (const { name } of settings) logRedirectUri(log, publicUrl, name);

  return {
    list: (): ProviderView[] => settings.map(({ name, label }) => ({ name, label })),

    /** Begins a sign-in. Throws a SignInProblem. */
    begin: (request: BeginRequest) => beginFor(beginning, request, null),

    beginConnecting: (viewer: Viewer, request: BeginRequest & { password: string }) =>
      beginConnecting(beginning, identity.confirmation, viewer, request),

    finish: (request: FinishRequest) => finish(finishing, request),

    /** The state of a sign-in, for the page of the same browser that waits for it. */
    stateOf: attempts.state,
    connections: connections.list,
    disconnect: connections.disconnect,
    sweep: () => sweepAttempts(db),
  };
}

function logRedirectUri(log: Deps["log"], publicUrl: string, name: string): void {
  log.info(
    { provider: name, redirectUri: redirectUri(publicUrl, name) },
    "people can sign in with a provider; this redirect URI must be registered there",
  );
}

/**
 * Begins to connect a provider with the account of a member, who confirms the password first.
 * Throws a SignInProblem, or refuses as identity.confirmation.confirmUnlessRecent does.
 */
async function beginConnecting(
  parts: Beginning,
  confirmation: Identity["confirmation"],
  viewer: Viewer,
  { password, ...request }: BeginRequest & { password: string },
): Promise<Begun> {
  await confirmation.confirmUnlessRecent(viewer, { password });
  return beginFor(parts, request, viewer.id);
}

async function beginFor(
  parts: Beginning,
  request: BeginRequest,
  accountId: string | null,
): Promise<Begun> {
  const { log, publicUrl, adapters, attempts, attemptLimits } = parts;
  const { origin, returnTo, inPopup, invitation, follow, client } = request;
  try {
    // The cookie of the attempt must come back to the host that set it.
    if (origin !== new URL(publicUrl).origin) throw problem("unauthorized-domain");
    const adapter = adapters.get(request.provider);
    if (!adapter) throw problem("auth-domain-config-required");
    await attemptLimits.count("provider-attempts", networkOf(client.ip));
    return await attempts.begin(adapter, {
      cookieHeader: client.cookieHeader,
      redirectUri: redirectUri(publicUrl, adapter.name),
      returnTo,
      inPopup,
      invitation: invitation?.slice(0, 100) || null,
      follow: follow && isId(follow) ? follow : null,
      accountId,
    });
  } catch (error) {
    throw problemFor(log, error, request.provider);
  }
}
