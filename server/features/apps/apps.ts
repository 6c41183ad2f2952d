import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Logger } from "pino";
import type { Database } from "#server/db/database.ts";
import { faultOf } from "#server/db/faults.ts";
import { isId, newId as freshId, type NewId } from "#server/db/ids.ts";
import * as queries from "#server/features/apps/apps.queries.ts";
import {
  formTarget,
  mayLeadTo,
  outOfBand,
  withParameters,
} from "#server/features/apps/redirects.ts";
import { covers, readScopes, rightsInWords } from "#shared/app-scopes.ts";
import { refuse } from "#shared/errors.ts";
import { websiteOf } from "#shared/profiles.ts";
import { cleanName, isBlank, lengthProblem } from "#shared/text.ts";
import type { Viewer } from "#shared/views.ts";

/** seconds in which an app fetches its token: RFC 6749, section 4.1.2, says ten minutes at most */
const codeSeconds = 10 * 60;
/** codes of one account that wait */
const mostCodes = 20;
/** tokens of one account; the longest unused ends where there is one more */
const mostTokens = 100;
/** tokens of an app without a member */
const mostOwnTokens = 5;
/** days after which an app that nobody lets in is forgotten */
const keptDays = 30;
/** seconds: the list of connected apps tells their last use to within this */
const noteUseAfter = 5 * 60;
const nameLength = 60;

type Deps = {
  db: Database;
  log: Pick<Logger, "error">;
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

/** Who sends a request of an app. */
export type AppCaller = {
  tokenId: string;
  app: AppView;
  scopes: string[];
  /** epoch ms */
  since: number;
  /** null: nobody let it in, it speaks for itself */
  viewer: Viewer | null;
};

/** What an app asks a member for, as it stands in the address of the consent screen. */
export type Asked = {
  clientId: string;
  redirectUri: string;
  scope: string;
  responseType: string;
  challenge: string;
  challengeMethod: string;
};

const digest = (secret: string) => createHash("sha256").update(secret).digest();
const secretText = () => randomBytes(32).toString("base64url");

/** Apps of other people: how they are registered, let in by members, recognised, and sent away. */
export function createApps({ db, log, countRegistration, newId = freshId }: Deps) {
  const readToken = queries.tokenReader(db, noteUseAfter);

  /**
   * Anybody may register an app: it can do nothing until a member lets it in. The secret is told once.
   * Refuses with input-invalid, app-redirect, app-scope, too-many-attempts.
   */
  async function register(
    typed: { name: string; website: string; redirectUris: readonly string[]; scopes: string },
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
    if (!leads || !redirectUris.every(mayLeadTo)) {
      throw refuse("app-redirect", {
        message:
          "Name 1 to 10 redirect addresses: https, http on localhost, a scheme of the app's own, or " +
          outOfBand,
      });
    }
    const scopes = readScopes(typed.scopes || "read");
    if (!scopes || scopes.length === 0) throw refuse("app-scope");
    await countRegistration?.(network);
    const [clientId, clientSecret] = [secretText(), secretText()];
    const id = newId();
    await queries.insertApp(db, {
      id,
      client_id: clientId,
      secret_hash: digest(clientSecret),
      name,
      website,
      redirect_uris: redirectUris,
      scopes,
    });
    return { id, name, website, redirectUris, scopes, clientId, clientSecret };
  }

  /**
   * What a member is asked, checked. Refuses with app-unknown and app-redirect what must not be told to
   * any address, with app-request and app-scope what may not be asked for.
   */
  async function consentFor(asked: Asked) {
    const app = await queries.findApp(db, asked.clientId.slice(0, 100));
    if (!app) throw refuse("app-unknown", { message: "We don't know this app." });
    const { redirectUri } = asked;
    const leads = app.redirect_uris.includes(redirectUri) && mayLeadTo(redirectUri);
    if (!leads) throw refuse("app-redirect");
    if (asked.responseType !== "code") throw refuse("app-request");
    const scopes = readScopes(asked.scope || "read");
    const told = scopes?.every((scope) => covers(app.scopes, scope));
    if (!scopes || scopes.length === 0 || !told) throw refuse("app-scope");
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
      rights: rightsInWords(scopes),
      challenge: pkce ? challenge : null,
      showsCode: redirectUri === outOfBand,
      formTarget: redirectUri === outOfBand ? null : formTarget(redirectUri),
    };
  }

  /** The member says yes: a code that fetches one token. Refuses as `consentFor`. */
  async function allow(viewer: Viewer, asked: Asked): Promise<string> {
    const { appId, redirectUri, scopes, challenge } = await consentFor(asked);
    const code = secretText();
    await db.transaction(() =>
      queries.insertCode(
        db,
        {
          code_hash: digest(code),
          app_id: appId,
          account_id: viewer.id,
          redirect_uri: redirectUri,
          scopes,
          challenge,
        },
        { seconds: codeSeconds, kept: mostCodes },
      ),
    );
    return code;
  }

  /** The app that knows its secret. Refuses with app-unknown. */
  async function authenticate(clientId: string, secret: string) {
    const app = await queries.findApp(db, clientId.slice(0, 100));
    if (!app || !timingSafeEqual(app.secret_hash, digest(secret))) throw refuse("app-unknown");
    return app;
  }

  async function give(
    appId: string,
    accountId: string | null,
    scopes: readonly string[],
    code: { hash: Buffer; challenge: string | null } | null = null,
  ) {
    const token = secretText();
    const row = {
      token_hash: digest(token),
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

  type Client = { clientId: string; clientSecret: string };

  /**
   * A code for a token, once. A try with another address or verifier uses it up. A second try with it by
   * the same app and with its verifier ends the token that it fetched (RFC 6749, section 4.1.2): two have
   * the code, and which of them is the member's app cannot be told. Refuses with app-unknown, app-code.
   */
  async function exchange(
    client: Client,
    { code, redirectUri, verifier }: { code: string; redirectUri: string; verifier: string },
  ): Promise<{ token: string; scopes: string[] }> {
    const app = await authenticate(client.clientId, client.clientSecret);
    const hash = digest(code);
    const proof = createHash("sha256").update(verifier).digest("base64url");
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
      // Whatever comes of it, the code is used.
      if (address !== redirectUri || !isProven(challenge)) return null;
      return give(app.id, accountId, scopes, { hash, challenge });
    });
    if (!given) throw refuse("app-code");
    return given;
  }

  /** A token of the app itself. Refuses with app-unknown, app-scope. */
  async function ownToken(client: Client, scope: string) {
    const app = await authenticate(client.clientId, client.clientSecret);
    const scopes = readScopes(scope || "read");
    const told = scopes?.every((one) => covers(app.scopes, one));
    if (!scopes || scopes.length === 0 || !told) throw refuse("app-scope");
    return db.transaction(() => give(app.id, null, scopes));
  }

  /** A token for whom the app just signed up, with its rights. Joins the caller's transaction. */
  const giveNew = ({ app, scopes }: Pick<AppCaller, "app" | "scopes">, accountId: string) =>
    give(app.id, accountId, scopes);

  /**
   * Ends a token; fine where it ended already. An app that says who it is ends its own alone. Who names no app of
   * ours may end what they hold: a token is no safer alive, and an app in a browser may have forgotten its secret
   * (RFC 7009, section 2.1, asks it of confidential clients). Refuses with app-unknown where the secret is wrong.
   */
  async function revoke({ clientId, clientSecret }: Client, token: string): Promise<void> {
    const named = await queries.findApp(db, clientId.slice(0, 100));
    const app = named && (await authenticate(clientId, clientSecret));
    await queries.deleteToken(db, digest(token), app?.id ?? null);
  }

  const beingNoted = new Set<string>();

  /** In the background: nobody waits for it, and at worst the next request tries again. */
  function writeUse(id: string): void {
    if (beingNoted.has(id)) return;
    beingNoted.add(id);
    queries
      .noteUse(db, id)
      .catch((error: unknown) => {
        if (faultOf(error) === null)
          log.error({ err: error }, "the use of an app could not be written");
      })
      .finally(() => beingNoted.delete(id));
  }

  /** Who sends a token; null when it ended, or its account is not to be seen. */
  async function callerOf(token: string): Promise<AppCaller | null> {
    if (token.length > 100) return null;
    const row = await readToken(digest(token));
    if (!row) return null;
    if (row.use_unnoted) writeUse(row.token_id);
    const { member } = row;
    const viewer = member && {
      ...member.account,
      sessionId: row.token_id,
      email: member.email,
      emailVerified: member.email_verified,
      firstName: member.first_name,
      secondName: member.second_name,
      moderator: member.moderator,
      unreadNotifications: member.unread_notifications,
      unreadMessages: member.unread_messages,
      ...(member.muted_words && { mutedWords: member.muted_words }),
    };
    const { app, scopes, token_id: tokenId } = row;
    return { tokenId, app, scopes, since: row.created_at.getTime(), viewer };
  }

  /** What a member let in, last used first. */
  async function list(viewer: Viewer) {
    const rows = await queries.tokensOf(db, viewer.id);
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      website: row.website,
      rights: rightsInWords(row.scopes),
      since: row.created_at.getTime(),
      usedAt: row.used_at.getTime(),
    }));
  }

  /** Sends one away, from its next request on. Refuses with not-found. */
  async function end(viewer: Viewer, id: string): Promise<void> {
    if (!isId(id) || !(await queries.deleteOne(db, viewer.id, id))) throw refuse("not-found");
  }

  return {
    register,
    consentFor,
    allow,
    exchange,
    ownToken,
    giveNew,
    revoke,
    callerOf,
    list,
    end,
    /** All that an account let in. Joins the caller's transaction. */
    endAll: (accountId: string) => queries.deleteAll(db, accountId),
    /** Where the member's answer leads: with the code, or with the reason why there is none. */
    answerAddress: withParameters,
    sweep: () => queries.sweepApps(db, keptDays),
  };
}
