import type { Logger } from "pino";
import { reasonOf } from "#server/adapters/identity-providers/provider-problems.ts";
import type { createIdentityProviders } from "#server/adapters/identity-providers/index.ts";
import type { ProviderIdentity } from "#server/adapters/identity-providers/identity-provider.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { CompletedSignIn } from "#server/features/identity/sign-in-completion.ts";
import type { Identity } from "#server/features/identity/identity.ts";
import type { Follows } from "#server/features/people/index.ts";
import type { ClientInfo } from "#server/features/types.ts";
import type { Attempt, createAttempts } from "#server/features/identity/providers/attempts.ts";
import { settle, type FoundAttempt } from "#server/features/identity/providers/attempts.queries.ts";
import type { createConnections } from "#server/features/identity/providers/connections.ts";
import type { createAccountsOfIdentities } from "#server/features/identity/providers/identity-accounts.ts";
import { isRefusal } from "#shared/errors.ts";
import {
  isProblemCode,
  isSignInProblem,
  problem,
  type SignInOutcome,
  type SignInProblem,
  type SignInProblemCode,
} from "#shared/providers.ts";
import type { Viewer } from "#shared/views.ts";

/** What starting and finishing a sign-in have in common. */
export type Asking = {
  log: Pick<Logger, "warn">;
  publicUrl: string;
  adapters: ReturnType<typeof createIdentityProviders>;
  attempts: ReturnType<typeof createAttempts>;
};

type Finishing = Asking & {
  db: Database;
  identity: Pick<Identity, "signIn">;
  follows: Pick<Follows, "followOnArrival">;
  connections: ReturnType<typeof createConnections>;
  accountOf: ReturnType<typeof createAccountsOfIdentities>["accountOf"];
};

export type FinishRequest = {
  provider: string;
  query: string;
  viewer: Viewer | null;
  client: ClientInfo;
};

/** The result for a browser that came back. */
export type Finished = {
  /** null where it is unknown what the browser had begun */
  attempt: ReturnType<typeof shown> | null;
  result: { outcome: SignInOutcome; cookies: string[] } | { problem: SignInProblem };
};

/** Problems that the operator can fix. */
const operatorsProblems = new Set<SignInProblemCode>([
  "auth-domain-config-required",
  "internal-error",
  "invalid-api-key",
  "network-request-failed",
  "unauthorized-domain",
]);

/** Exactly the address that the operator registered at the provider. */
export function redirectUri(publicUrl: string, name: string): string {
  return `${publicUrl}/signIn/from/${name}`;
}

/**
 * The browser is back from the provider with `query`: signs it in, connects the provider, or says
 * why not. Never throws a problem that the person could solve.
 */
export async function finish(parts: Finishing, request: FinishRequest): Promise<Finished> {
  const { provider, query, viewer, client } = request;
  const found = await parts.attempts.take(
    provider,
    new URLSearchParams(query),
    client.cookieHeader,
  );
  const attempt = found.attempt && shown(found.attempt);
  if (found.error) return { attempt, result: { problem: found.error } };
  try {
    const who = await identify(parts, provider, query, found.attempt);
    const result = found.attempt.accountId
      ? await connect(parts, found.attempt, who, viewer)
      : await completeSignIn(parts, found.attempt, who, client);
    return { attempt, result };
  } catch (error) {
    const why = problemFor(parts.log, error, provider);
    await settle(parts.db, found.attempt.id, why.code);
    return { attempt, result: { problem: why } };
  }
}

/** Without its secrets. */
function shown({ id, inPopup, returnTo, invitation, follow, accountId }: FoundAttempt) {
  return { id, inPopup, returnTo, invitation, follow, connecting: accountId !== null };
}

async function identify(
  { adapters, publicUrl }: Asking,
  name: string,
  query: string,
  attempt: Attempt,
): Promise<ProviderIdentity> {
  const adapter = adapters.get(name);
  if (!adapter) throw problem("auth-domain-config-required");
  const callback = new URL(redirectUri(publicUrl, name));
  callback.search = query;
  const { state, nonce, codeVerifier } = attempt;
  return adapter.identify(callback, { state, nonce, codeVerifier });
}

async function completeSignIn(
  parts: Finishing,
  attempt: Attempt,
  who: ProviderIdentity,
  client: ClientInfo,
) {
  const { db, identity, follows, accountOf } = parts;
  const { accountId, made } = await accountOf(who, client, attempt.invitation);
  const { outcome, entered } = await db.transaction(async () => {
    const entered = await identity.signIn.complete(accountId, client, "provider");
    const outcome = outcomeOf(entered, made);
    await settleOrStop(db, attempt, outcome);
    return { outcome, entered };
  });
  if (made && entered.viewer && attempt.follow) {
    await follows.followOnArrival(entered.viewer, attempt.follow);
  }
  return { outcome, cookies: entered.cookies };
}

async function connect(
  { db, connections }: Finishing,
  attempt: Attempt,
  who: ProviderIdentity,
  viewer: Viewer | null,
) {
  if (viewer?.id !== attempt.accountId) throw problem("sign-in-required");
  return db.transaction(async () => {
    await connections.connect(viewer, who);
    await settleOrStop(db, attempt, "connected");
    return { outcome: "connected" as const, cookies: [] };
  });
}

/** Another sign-in may have cancelled this one during the call to the provider. */
async function settleOrStop(db: Database, attempt: Attempt, outcome: SignInOutcome): Promise<void> {
  if (!(await settle(db, attempt.id, outcome))) throw problem("cancelled-popup-request");
}

/** The message of an error for a person; what the operator should know of it is in the log. */
export function problemFor(
  log: Pick<Logger, "warn">,
  error: unknown,
  provider: string,
): SignInProblem {
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

function outcomeOf(entered: CompletedSignIn, made: boolean): SignInOutcome {
  if (entered.viewer) return made ? "signed-up" : "signed-in";
  // Suspended accounts are redirected from there: app/screens/keep-account.tsx.
  return "secondFactor" in entered ? "second-factor" : "leaving";
}
