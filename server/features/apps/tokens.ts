import type { Database } from "#server/platform/db/database.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/apps/apps.queries.ts";
import { authenticate } from "#server/features/apps/registrations.ts";
import { hashToken, newToken } from "#server/platform/tokens.ts";
import { covers, parseScopes, rightsIn } from "#shared/app-scopes.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/** tokens of one account; beyond it the longest unused ends */
const mostTokens = 100;
/** tokens of an app without a member */
const mostOwnTokens = 5;

type TokenDeps = { db: Database; newId?: NewId };

export type Client = { clientId: string; clientSecret: string };

/** What an app sends to exchange its code. */
export type CodeGrant = { code: string; redirectUri: string; verifier: string };

export async function issueToken(
  { db, newId = freshId }: TokenDeps,
  appId: string,
  accountId: string | null,
  scopes: readonly string[],
  code: { hash: Buffer; challenge: string | null } | null = null,
) {
  const token = newToken();
  const row = {
    token_hash: hashToken(token),
    id: newId(),
    app_id: appId,
    account_id: accountId,
    scopes: [...scopes],
    code_hash: code?.hash ?? null,
    code_challenge: code?.challenge ?? null,
  };
  await queries.insertToken(db, row, accountId ? mostTokens : mostOwnTokens);
  return { token, scopes: [...scopes] };
}

/**
 * Exchanges a code for a token, once. A try with another address or verifier uses it up. A second
 * try with it by the same app and with its verifier ends the token (RFC 6749, section 4.1.2): two
 * have the code, and which of them is the member's app is unknown. Refuses with app-unknown,
 * app-code.
 */
export async function exchange(
  deps: TokenDeps,
  client: Client,
  { code, redirectUri, verifier }: CodeGrant,
): Promise<{ token: string; scopes: string[] }> {
  const { db } = deps;
  const app = await authenticate(db, client.clientId, client.clientSecret);
  const hash = hashToken(code);
  const proof = hashToken(verifier).toString("base64url");
  const isProven = (challenge: string | null) =>
    challenge === null ? verifier === "" : challenge === proof;
  // Two tries at once: the second waits for the row of the code, and then finds the token of the first.
  const given = await db.transaction(async () => {
    const taken = await queries.takeCode(db, hash, app.id);
    if (!taken) {
      const used = await queries.usedCode(db, hash, app.id);
      if (used && isProven(used.challenge)) await queries.deleteTokenOfCode(db, hash, app.id);
      return null;
    }
    const { challenge, account_id: accountId, scopes, redirect_uri: address } = taken;
    // In any case, the code is used.
    if (address !== redirectUri || !isProven(challenge)) return null;
    return issueToken(deps, app.id, accountId, scopes, { hash, challenge });
  });
  if (!given) throw refuse("app-code");
  return given;
}

/** A token of the app itself. Refuses with app-unknown, app-scope. */
export async function ownToken(deps: TokenDeps, client: Client, scope: string) {
  const app = await authenticate(deps.db, client.clientId, client.clientSecret);
  const scopes = parseScopes(scope || "read");
  const covered = scopes?.every((one) => covers(app.scopes, one));
  if (!scopes || scopes.length === 0 || !covered) throw refuse("app-scope");
  return deps.db.transaction(() => issueToken(deps, app.id, null, scopes));
}

/**
 * Ends a token; fine where it ended already. An app that names itself ends only its own. A caller
 * that names no registered app may end the token it has: a token is no safer alive, and an app in a
 * browser may have lost its secret (RFC 7009, section 2.1, asks it of confidential clients).
 * Refuses with app-unknown where the secret is wrong.
 */
export async function revoke(
  db: Database,
  { clientId, clientSecret }: Client,
  token: string,
): Promise<void> {
  const named = await queries.findApp(db, clientId.slice(0, 100));
  const app = named && (await authenticate(db, clientId, clientSecret));
  await queries.deleteToken(db, hashToken(token), app?.id ?? null);
}

/** The apps that a member authorized, last used first. */
export async function list(db: Database, viewer: Viewer) {
  const rows = await queries.tokensOf(db, viewer.id);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    website: row.website,
    rights: rightsIn(row.scopes),
    since: row.created_at.getTime(),
    usedAt: row.used_at.getTime(),
  }));
}

/** Revokes one, from its next request on; false where the member has none of this id. */
export async function end(db: Database, viewer: Viewer, id: string): Promise<boolean> {
  return isId(id) && queries.deleteOne(db, viewer.id, id);
}
