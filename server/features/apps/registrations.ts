import { timingSafeEqual } from "node:crypto";
import type { Database } from "#server/platform/db/database.ts";
import { newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/apps/apps.queries.ts";
import { formTarget, isAllowedRedirect, outOfBand } from "#server/features/apps/redirects.ts";
import { hashToken, newToken } from "#server/platform/tokens.ts";
import { covers, parseScopes, rightsIn } from "#shared/app-scopes.ts";
import { refuse } from "#shared/errors.ts";
import { websiteOf } from "#shared/profiles.ts";
import { cleanName, isBlank, lengthProblem } from "#shared/text.ts";
import type { Viewer } from "#shared/views.ts";

/**
 * seconds in which an app must exchange its code: RFC 6749, section 4.1.2, says ten minutes at most
 */
const codeSeconds = 10 * 60;
/** unused codes of one account */
const mostCodes = 20;
const nameLength = 60;

type RegisterDeps = {
  db: Database;
  /** counts what a network registers */
  countRegistration?: (network: string) => Promise<unknown>;
  newId?: NewId;
};

export type AppView = {
  id: string;
  name: string;
  website: string;
  redirectUris: string[];
  scopes: string[];
};

export type Registration = {
  name: string;
  website: string;
  redirectUris: readonly string[];
  scopes: string;
};

/** What an app asks a member for, as in the address of the consent screen. */
export type Asked = {
  clientId: string;
  redirectUri: string;
  scope: string;
  responseType: string;
  challenge: string;
  challengeMethod: string;
};

/**
 * Anybody may register an app: it can do nothing until a member authorizes it. The secret is shown
 * only once. Refuses with input-invalid, app-redirect, app-scope, too-many-attempts.
 */
export async function register(
  { db, countRegistration, newId = freshId }: RegisterDeps,
  typed: Registration,
  network: string,
): Promise<AppView & { clientId: string; clientSecret: string }> {
  const name = cleanName(typed.name);
  if (
    isBlank(name) ||
    lengthProblem("A name", name, { graphemes: nameLength, bytes: 400 }) !== null
  ) {
    const message = `An app's name has 1 to ${nameLength} characters.`;
    throw refuse("input-invalid", { message, fields: { client_name: message } });
  }
  const website = websiteOf(typed.website);
  if (website === null) {
    const message = "This is no website's address.";
    throw refuse("input-invalid", { message, fields: { website: message } });
  }
  const redirectUris = [...new Set(typed.redirectUris)];
  const leads = redirectUris.length > 0 && redirectUris.length <= 10;
  if (!leads || !redirectUris.every(isAllowedRedirect)) {
    throw refuse("app-redirect", {
      message:
        "Name 1 to 10 redirect addresses: https, http on localhost, a scheme of the app's own, or " +
        outOfBand,
    });
  }
  const scopes = parseScopes(typed.scopes || "read");
  if (!scopes || scopes.length === 0) throw refuse("app-scope");
  await countRegistration?.(network);
  const [clientId, clientSecret] = [newToken(), newToken()];
  const id = newId();
  await queries.insertApp(db, {
    id,
    client_id: clientId,
    secret_hash: hashToken(clientSecret),
    name,
    website,
    redirect_uris: redirectUris,
    scopes,
  });
  return { id, name, website, redirectUris, scopes, clientId, clientSecret };
}

/**
 * Checks what an app asks a member for. Refuses with app-unknown and app-redirect what must not be
 * reported to any address, with app-request and app-scope what may not be asked for.
 */
export async function consentFor(db: Database, asked: Asked) {
  const app = await queries.findApp(db, asked.clientId.slice(0, 100));
  if (!app) throw refuse("app-unknown", { message: "We don't know this app." });
  const { redirectUri } = asked;
  const leads = app.redirect_uris.includes(redirectUri) && isAllowedRedirect(redirectUri);
  if (!leads) throw refuse("app-redirect");
  if (asked.responseType !== "code") throw refuse("app-request");
  const scopes = parseScopes(asked.scope || "read");
  const covered = scopes?.every((scope) => covers(app.scopes, scope));
  if (!scopes || scopes.length === 0 || !covered) throw refuse("app-scope");
  const { challenge, challengeMethod } = asked;
  const pkce = challenge !== "" || challengeMethod !== "";
  if (pkce && (challengeMethod !== "S256" || !/^[\w-]{43}$/.test(challenge))) {
    throw refuse("app-request", { message: "This app must use PKCE with S256, or none." });
  }
  return {
    appId: app.id,
    name: app.name,
    website: app.website,
    redirectUri,
    scopes,
    rights: rightsIn(scopes),
    challenge: pkce ? challenge : null,
    showsCode: redirectUri === outOfBand,
    formTarget: redirectUri === outOfBand ? null : formTarget(redirectUri),
  };
}

/** The member agrees: a code for one token. Refuses as `consentFor`. */
export async function allow(db: Database, viewer: Viewer, asked: Asked): Promise<string> {
  const { appId, redirectUri, scopes, challenge } = await consentFor(db, asked);
  const code = newToken();
  await db.transaction(() =>
    queries.insertCode(
      db,
      {
        code_hash: hashToken(code),
        app_id: appId,
        account_id: viewer.id,
        redirect_uri: redirectUri,
        scopes,
        challenge,
      },
      { seconds: codeSeconds, most: mostCodes },
    ),
  );
  return code;
}

/** The app with this secret. Refuses with app-unknown. */
export async function authenticate(db: Database, clientId: string, secret: string) {
  const app = await queries.findApp(db, clientId.slice(0, 100));
  if (!app || !timingSafeEqual(app.secret_hash, hashToken(secret))) throw refuse("app-unknown");
  return app;
}
