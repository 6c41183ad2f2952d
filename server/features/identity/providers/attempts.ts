import type { IdentityProvider } from "#server/adapters/identity-providers/identity-provider.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId, newId } from "#server/platform/db/ids.ts";
import { ownCookie } from "#server/features/identity/cookies.ts";
import * as queries from "#server/features/identity/providers/attempts.queries.ts";
import { hashToken, newToken } from "#server/platform/tokens.ts";
import {
  attemptSeconds,
  isProblemCode,
  problem,
  type AttemptState,
  type SignInOutcome,
} from "#shared/providers.ts";

export type Begun = {
  attempt: string;
  /** the provider's page */
  url: string;
  cookies: string[];
};

type Beginning = {
  cookieHeader: string;
  redirectUri: string;
  returnTo: string;
  inPopup: boolean;
  invitation: string | null;
  /** the account that a new one follows */
  follow: string | null;
  /** the member who connects the provider; null for a sign-in */
  accountId: string | null;
};

export type Attempt = queries.FoundAttempt & { state: string };

/**
 * Sign-ins in progress: ten minutes each, bound by a cookie to the browser that began them, valid
 * for one return. Random secrets leave the server, their hashes stay.
 */
export function createAttempts({ db, secure }: { db: Database; secure: boolean }) {
  const cookie = ownCookie("attempt", secure);

  const browserOf = (cookieHeader: string) => {
    const value = cookie.read(cookieHeader);
    return value === null ? null : hashToken(value);
  };

  /** Begins one, which cancels this browser's earlier one. Throws a SignInProblem. */
  async function begin(provider: IdentityProvider, wanted: Beginning): Promise<Begun> {
    const challenge = { state: newToken(), nonce: newToken(), codeVerifier: newToken() };
    const url = await provider.authorizationUrl(challenge, wanted.redirectUri);
    const browser = newToken();
    const id = newId();
    const before = browserOf(wanted.cookieHeader);
    await db.transaction(async () => {
      if (before) await queries.cancelWaiting(db, before);
      const attempt = {
        id,
        state_hash: hashToken(challenge.state),
        browser_hash: hashToken(browser),
        provider: provider.name,
        account_id: wanted.accountId,
        in_popup: wanted.inPopup,
        nonce: challenge.nonce,
        code_verifier: challenge.codeVerifier,
        return_to: wanted.returnTo,
        invitation: wanted.invitation,
        follow_id: wanted.follow,
      };
      await queries.insertAttempt(db, attempt, attemptSeconds);
    });
    const cookies = [cookie.write(browser, attemptSeconds)];
    return { attempt: id, url: url.href, cookies };
  }

  /**
   * The attempt that a browser comes back with. Where it may not continue, `error` says why, and
   * `attempt` at most where to show it.
   */
  async function take(provider: string, query: URLSearchParams, cookieHeader: string) {
    const state = query.get("state") ?? "";
    const browserHash = browserOf(cookieHeader);
    const stateHash = hashToken(state);
    const taken =
      browserHash && (await queries.takeReturned(db, { provider, stateHash, browserHash }));
    if (taken?.outcome === null) return { attempt: { ...taken, state }, error: null };
    const seen = taken ?? (await queries.findByState(db, stateHash));
    const cancelled = seen?.outcome === "cancelled-popup-request";
    const why = cancelled
      ? "cancelled-popup-request"
      : browserHash
        ? "sign-in-expired"
        : "web-storage-unsupported";
    return { attempt: seen, error: problem(why) };
  }

  /** The state of an attempt of this browser, for the page that waits for it. */
  async function state(id: string, cookieHeader: string): Promise<AttemptState> {
    const browserHash = browserOf(cookieHeader);
    if (!browserHash) return { state: "failed", code: "web-storage-unsupported" };
    const found = isId(id) ? await queries.findOwn(db, { id, browserHash }) : null;
    // The browser's cookie is that of its newest attempt.
    if (!found) return { state: "failed", code: "cancelled-popup-request" };
    const { outcome, late, return_to: to } = found;
    if (isProblemCode(outcome)) return { state: "failed", code: outcome };
    if (outcome !== null) return { state: "done", outcome: outcome as SignInOutcome, to };
    return late ? { state: "failed", code: "sign-in-expired" } : { state: "waiting" };
  }

  return { begin, take, state };
}
