import { AsyncLocalStorage } from "node:async_hooks";
import { betterAuth } from "better-auth";
import type { Logger } from "pino";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { newId as freshId, timeOf, type NewId } from "#server/db/ids.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { hashPassword, verifyPassword } from "#server/features/identity/passwords.ts";
import {
  printable,
  sessionCookieName,
  sessionLifetime,
} from "#server/features/identity/sessions.ts";
import { challengeCookie, passkeyPlugin } from "#server/features/identity/passkeys/plugin.ts";

/** The name of the header in which we tell better-auth the client's address. */
const clientAddress = "x-postcard-client";

/**
 * A hash made before the transaction in which better-auth asks for one: no database connection
 * waits while a password is hashed.
 */
export const hashMadeBefore = new AsyncLocalStorage<string>();

type Deps = {
  db: Database;
  config: Pick<Config, "publicUrl" | "origins">;
  secret: string;
  log: Pick<Logger, "error" | "warn" | "debug">;
  newId?: NewId | undefined;
};

const column = { type: "string", required: true, input: true } as const;

/**
 * better-auth on our own tables. Its HTTP handler is never mounted: what we use of it is listed in
 * `usedEndpoints` and called from here, behind our rules and limits.
 */
export function createAuth({ db, config, secret, log, newId = freshId }: Deps) {
  const secure = config.publicUrl.startsWith("https:");
  return betterAuth({
    appName: "Postcard",
    baseURL: config.publicUrl,
    basePath: "/api/auth",
    // the plural, because it wins over a variable of the environment
    secrets: [{ version: 1, value: secret }],
    trustedOrigins: config.origins,
    plugins: [passkeyPlugin(config)],
    telemetry: { enabled: false },
    // our own limits count before anything is looked up
    rateLimit: { enabled: false },
    logger: { level: "warn", log: logWithoutPersons(log) },
    // Our pool joins the transaction that runs; one begun by better-auth would be another one.
    database: { db: db.kysely, type: "postgres", transaction: false },
    advanced: {
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [clientAddress] },
      // the prefix __Host- is part of our names; __Secure- in front would undo it
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/", secure },
      cookies: {
        session_token: { name: sessionCookieName(secure) },
        [challengeCookie]: { name: secure ? "__Host-postcard.passkey" : "postcard.passkey" },
      },
    },
    // An account is as old as the ids of its moment say.
    databaseHooks: {
      user: {
        create: { before: async () => ({ data: { createdAt: new Date(timeOf(newId())) } }) },
      },
    },
    emailAndPassword: {
      enabled: true,
      // the rules of shared/passwords.ts were checked before
      minPasswordLength: 1,
      maxPasswordLength: 1024,
      password: {
        hash: async (password) => hashMadeBefore.getStore() ?? hashPassword(password),
        verify: verifyPassword,
      },
    },
    session: {
      modelName: "sessions",
      expiresIn: sessionLifetime,
      // prolonged by our own look-up
      disableSessionRefresh: true,
      // whether it is fresh enough, or the password is asked for, is for `confirm` to say
      freshAge: 0,
      fields: {
        userId: "account_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        createdAt: "created_at",
        updatedAt: "updated_at",
      },
    },
    user: {
      modelName: "accounts",
      fields: {
        name: "full_name",
        emailVerified: "email_verified",
        image: "avatar_image_id",
        createdAt: "created_at",
        updatedAt: "updated_at",
      },
      additionalFields: {
        username: column,
        emailAsTyped: { ...column, fieldName: "email_as_typed" },
        firstName: { ...column, fieldName: "first_name" },
        secondName: { ...column, fieldName: "second_name" },
        searchName: { ...column, fieldName: "search_name" },
      },
    },
    account: {
      modelName: "credentials",
      fields: {
        userId: "account_id",
        providerId: "provider_id",
        accountId: "subject",
        accessToken: "access_token",
        refreshToken: "refresh_token",
        idToken: "id_token",
        accessTokenExpiresAt: "access_token_expires_at",
        refreshTokenExpiresAt: "refresh_token_expires_at",
        createdAt: "created_at",
        updatedAt: "updated_at",
      },
    },
    verification: {
      modelName: "verifications",
      // who can read the table can follow no link of it
      storeIdentifier: "hashed",
      fields: { expiresAt: "expires_at", createdAt: "created_at", updatedAt: "updated_at" },
    },
  });
}

/** Every endpoint of better-auth that Postcard uses, by name. None of them has a route. */
export const usedEndpoints = [
  "signUpEmail",
  "generatePasskeyRegistrationOptions",
  "verifyPasskeyRegistration",
  "generatePasskeyAuthenticationOptions",
  "verifyPasskeyAuthentication",
] as const;

export type AuthCalls = Pick<ReturnType<typeof createAuth>["api"], (typeof usedEndpoints)[number]>;

/** What better-auth writes into a session about the client. Cookies stay with us. */
export function authHeaders(client: ClientInfo): Headers {
  return new Headers({
    [clientAddress]: client.ip.split("%", 1)[0] ?? "",
    "user-agent": printable(client.userAgent),
  });
}

/** The code of an error that better-auth answers with, such as INVALID_EMAIL_OR_PASSWORD. */
export function authErrorCode(error: unknown): string | null {
  const body = (error as { body?: { code?: unknown } } | null)?.body;
  return typeof body?.code === "string" ? body.code : null;
}

/**
 * better-auth writes emails into its messages, and PostgreSQL into the details of its errors: our
 * log gets the message without them, and of an error its kind only.
 */
function logWithoutPersons(log: Deps["log"]) {
  return (level: "debug" | "info" | "warn" | "error", message: string, ...details: unknown[]) => {
    const errors = details
      .filter((detail) => detail instanceof Error)
      .map((error) => ({
        type: error.name,
        code: (error as { code?: unknown }).code,
        constraint: (error as { constraint?: unknown }).constraint,
      }));
    const text = `better-auth: ${String(message).replace(/\S+@\S+/g, "<email>")}`;
    // its warnings are wrong passwords and unknown emails: everyday matters
    log[level === "error" ? "warn" : "debug"]({ errors }, text);
  };
}
