import type { Logger } from "pino";
import { reasonOf } from "#server/adapters/identity-providers/explain.ts";
import { createIdentityProviders } from "#server/adapters/identity-providers/index.ts";
import type { ProviderIdentity } from "#server/adapters/identity-providers/identity-provider.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { isId, type NewId } from "#server/db/ids.ts";
import type { CompletedSignIn } from "#server/features/identity/sign-in-completion.ts";
import type { Identity } from "#server/features/identity/identity.ts";
import { createAttemptLimits, type LimitNumbers } from "#server/features/limits/index.ts";
import type { Follows } from "#server/features/people/index.ts";
import { networkOf } from "#server/networks.ts";
import type { ClientInfo } from "#server/features/types.ts";
import {
  createAttempts,
  type Attempt,
  type Begun,
} from "#server/features/identity/providers/attempts.ts";
import { settle, sweepAttempts } from "#server/features/identity/providers/attempts.queries.ts";
import { createConnections } from "#server/features/identity/providers/connections.ts";
import { createAccountsOfIdentities } from "#server/features/identity/providers/identity-accounts.ts";
import { isRefusal } from "#shared/errors.ts";
import {
  isProblemCode,
  isSignInProblem,
  problem,
  type ProviderView,
  type SignInOutcome,
  type SignInProblem,
  type SignInProblemCode,
} from "#shared/providers.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  log: Pick<Logger, "warn" | "info">;
  config: Pick<Config, "publicUrl" | "rateLimits"> & Partial<Pick<Config, "providers">>;
  secrets: { authSecret: string };
  identity: Pick<Identity, "signIn" | "signUp" | "confirmation" | "signInMethods" | "tellOwner">;
  follows: Pick<Follows, "followOnArrival">;
  newId?: NewId | undefined;
  limitNumbers?: LimitNumbers;
  providerFetch?: typeof fetch | undefined;
};

export type BeginRequest = {
  provider: string;
  /** the origin that the browser's request names */
  origin: string;
  /** a path of ours */
  returnTo: string;
  inPopup: boolean;
  /** the code of an invitation that came along, for a first sign-in */
  invitation?: string | null;
  /** the id of whom somebody came for: a new account follows them */
  follow?: string | null;
  client: ClientInfo;
};

/** What a browser that came back is told. */
export type Finished = {
  /** null where nothing tells what the browser had begun */
  attempt: {
    id: string;
    inPopup: boolean;
    returnTo: string;
    connecting: boolean;
    invitation: string | null;
    follow: string | null;
  } | null;
  result: { outcome: SignInOutcome; cookies: string[] } | { problem: SignInProblem };
};

/** Problems that the operator can do something about. */
const operatorsProblems = new Set<SignInProblemCode>([
  "auth-domain-config-required",
  "internal-error",
  "invalid-api-key",
  "network-request-failed",
  "unauthorized-domain",
]);

/** Signing in through identity providers, and connecting them with an account. */
export function createProviders(deps: Deps) {
  const { db, log, config, identity, follows, newId } = deps;
  const settings = config.providers ?? [];
  const adapters = createIdentityProviders(settings, deps.providerFetch ?? fetch);
  const secure = config.publicUrl.startsWith("https:");
  const attemptLimits = createAttemptLimits({
    db,
    secret: deps.secrets.authSecret,
    enabled: config.rateLimits,
    ...(deps.limitNumbers ? { numbers: deps.limitNumbers } : {}),
  });
  const attempts = createAttempts({ db, secure });
  const connections = createConnections({ db, settings, identity, newId });
  const { accountOf } = createAccountsOfIdentities({
    db,
    attemptLimits,
    newId,
    welcome: identity.signUp.welcome,
    admission: identity.signUp.admission,
    tellLinked: (accountId, issuer) =>
      identity.tellOwner(accountId, {
        what: "provider-connected",
        label: connections.labelOf(issuer),
      }),
  });

  for (const { name } of settings) {
    log.info(
      { provider: name, redirectUri: redirectUri(name) },
      "people can sign in with a provider; this redirect URI must be registered there",
    );
  }

  /** Exactly what the operator registered at the provider. */
  function redirectUri(name: string): string {
    return `${config.publicUrl}/signIn/from/${name}`;
  }

  function list(): ProviderView[] {
    return settings.map(({ name, label }) => ({ name, label }));
  }

  /** Begins a sign-in. Throws a SignInProblem. */
  function begin(request: BeginRequest): Promise<Begun> {
    return beginFor(request, null);
  }

  /**
   * Begins to connect a provider with the account of a member, who proves it once more first.
   * Throws a SignInProblem, or refuses as identity.confirmation.confirmUnlessRecent does.
   */
  async function beginConnecting(
    viewer: Viewer,
    { password, ...request }: BeginRequest & { password: string },
  ): Promise<Begun> {
    await identity.confirmation.confirmUnlessRecent(viewer, { password });
    return beginFor(request, viewer.id);
  }

  async function beginFor(request: BeginRequest, accountId: string | null): Promise<Begun> {
    const { origin, returnTo, inPopup, invitation, follow, client } = request;
    try {
      // The cookie of the attempt must come back to the host that it was given to.
      if (origin !== new URL(config.publicUrl).origin) throw problem("unauthorized-domain");
      const adapter = adapters.get(request.provider);
      if (!adapter) throw problem("auth-domain-config-required");
      await attemptLimits.count("provider-attempts", networkOf(client.ip));
      return await attempts.begin(adapter, {
        cookieHeader: client.cookieHeader,
        redirectUri: redirectUri(adapter.name),
        returnTo,
        inPopup,
        invitation: invitation?.slice(0, 100) || null,
        follow: follow && isId(follow) ? follow : null,
        accountId,
      });
    } catch (error) {
      throw told(error, request.provider);
    }
  }

  /**
   * The browser is back from the provider with `query`: signs it in, connects the provider, or says
   * why not. Never throws what a person could do something about.
   */
  async function finish(request: {
    provider: string;
    query: string;
    viewer: Viewer | null;
    client: ClientInfo;
  }): Promise<Finished> {
    const { provider, query, viewer, client } = request;
    const found = await attempts.take(provider, new URLSearchParams(query), client.cookieHeader);
    const attempt = found.attempt && {
      id: found.attempt.id,
      inPopup: found.attempt.in_popup,
      returnTo: found.attempt.return_to,
      connecting: found.attempt.account_id !== null,
      invitation: found.attempt.invitation,
      follow: found.attempt.follow_id,
    };
    if (found.error) return { attempt, result: { problem: found.error } };
    try {
      const who = await identify(provider, query, found.attempt);
      const result = found.attempt.account_id
        ? await connect(found.attempt, who, viewer)
        : await completeSignIn(found.attempt, who, client);
      return { attempt, result };
    } catch (error) {
      const why = told(error, provider);
      await settle(db, found.attempt.id, why.code);
      return { attempt, result: { problem: why } };
    }
  }

  async function identify(
    name: string,
    query: string,
    attempt: Attempt,
  ): Promise<ProviderIdentity> {
    const adapter = adapters.get(name);
    if (!adapter) throw problem("auth-domain-config-required");
    const callback = new URL(redirectUri(name));
    callback.search = query;
    const { state, nonce, code_verifier: codeVerifier } = attempt;
    return adapter.identify(callback, { state, nonce, codeVerifier });
  }

  async function completeSignIn(attempt: Attempt, who: ProviderIdentity, client: ClientInfo) {
    const { accountId, made } = await accountOf(who, client, attempt.invitation);
    const { outcome, entered } = await db.transaction(async () => {
      const entered = await identity.signIn.complete(accountId, client, "provider");
      const outcome = outcomeOf(entered, made);
      await settleOrStop(attempt, outcome);
      return { outcome, entered };
    });
    if (made && entered.viewer && attempt.follow_id) {
      await follows.followOnArrival(entered.viewer, attempt.follow_id);
    }
    return { outcome, cookies: entered.cookies };
  }

  async function connect(attempt: Attempt, who: ProviderIdentity, viewer: Viewer | null) {
    if (viewer?.id !== attempt.account_id) throw problem("sign-in-required");
    return db.transaction(async () => {
      await connections.connect(viewer, who);
      await settleOrStop(attempt, "connected");
      return { outcome: "connected" as const, cookies: [] };
    });
  }

  /** Another sign-in may have cancelled this one while the provider was asked. */
  async function settleOrStop(attempt: Attempt, outcome: SignInOutcome): Promise<void> {
    if (!(await settle(db, attempt.id, outcome))) throw problem("cancelled-popup-request");
  }

  /** What a person is told of an error; what the operator should know of it stands in the log. */
  function told(error: unknown, provider: string): SignInProblem {
    if (isRefusal(error) && isProblemCode(error.code)) return problem(error.code, error);
    if (isRefusal(error) && error.code === "wrong-credentials") {
      return problem("account-unavailable", error);
    }
    if (!isSignInProblem(error)) throw error;
    if (operatorsProblems.has(error.code)) {
      const { code } = error;
      log.warn({ provider, code, reason: reasonOf(error) }, "a sign-in with a provider failed");
    }
    return error;
  }

  return {
    list,
    begin,
    beginConnecting,
    finish,
    /** How far a sign-in is, for the page of the same browser that waits for it. */
    stateOf: attempts.state,
    connections: connections.list,
    disconnect: connections.disconnect,
    sweep: () => sweepAttempts(db),
  };
}

function outcomeOf(entered: CompletedSignIn, made: boolean): SignInOutcome {
  if (entered.viewer) return made ? "signed-up" : "signed-in";
  // Who is suspended is led on from there: app/screens/keep-account.tsx.
  return "secondFactor" in entered ? "second-factor" : "leaving";
}
