import { pino } from "pino";
import type { ProviderSettings } from "#server/adapters/identity-providers/settings.ts";
import { createFollows } from "#server/features/people/index.ts";
import { createNotifications } from "#server/features/talk/index.ts";
import type { Database } from "#server/platform/db/database.ts";
import { createProviders } from "#server/features/identity/providers/providers.ts";
import { asCookieHeader, authSecret, client, testIdentity } from "#server/test/identity.ts";
import { clientId, clientSecret, type ScriptedProvider } from "#server/test/scripted-provider.ts";
import type { SecurityNotice } from "#server/features/identity/security-notices.ts";
import type { LimitNumbers } from "#server/features/limits/limits.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { isSignInProblem } from "#shared/providers.ts";
import type { Viewer } from "#shared/views.ts";

export const publicUrl = "http://localhost:3000";

export function oidcSettings(name: string, { issuer }: { issuer: string }): ProviderSettings {
  return { kind: "oidc", name, label: name, issuer, clientId, clientSecret };
}

type Options = {
  limitNumbers?: LimitNumbers;
  publicUrl?: string;
  providerFetch?: typeof fetch;
};

/** The feature on a real database, with the identity that signs people in, and what it logged. */
export function testProviders(db: Database, settings: ProviderSettings[], options: Options = {}) {
  const notices: { accountId: string; notice: SecurityNotice }[] = [];
  const welcomed: string[] = [];
  const identity = testIdentity(db, {
    providers: settings,
    welcome: async (accountId) => void welcomed.push(accountId),
    notifyOwner: async (accountId, notice) => void notices.push({ accountId, notice }),
  });
  const logged: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void logged.push(line) });
  const providers = createProviders({
    db,
    log,
    config: {
      publicUrl: options.publicUrl ?? publicUrl,
      rateLimits: options.limitNumbers !== undefined,
      providers: settings,
    },
    secrets: { authSecret },
    identity,
    follows: createFollows({
      db,
      notifications: createNotifications({ db }),
      publish: () => undefined,
    }),
    limitNumbers: options.limitNumbers,
    providerFetch: options.providerFetch,
  });

  /** Begins a sign-in as our pages do; returns the browser with the attempt's cookie. */
  async function begin(provider: string, fields: Partial<BeginFields> = {}) {
    const { browser = client(), ...rest } = fields;
    const begun = await providers.begin({
      provider,
      origin: publicUrl,
      returnTo: "/",
      inPopup: true,
      client: browser,
      ...rest,
    });
    const cookieHeader = [browser.cookieHeader, asCookieHeader(begun.cookies)]
      .filter(Boolean)
      .join("; ");
    return { ...begun, browser: { ...browser, cookieHeader } };
  }

  /** Signs somebody in with a scripted provider, from the button to the end. */
  async function signIn(
    name: string,
    provider: ScriptedProvider,
    claims: Record<string, unknown>,
    fields: Partial<BeginFields> = {},
  ) {
    const { url, browser, attempt } = await begin(name, fields);
    const query = provider.approve(url, claims).toString();
    const finished = await providers.finish({
      provider: name,
      query,
      viewer: null,
      client: browser,
    });
    return { ...finished.result, attempt, browser, query };
  }

  /** The member whom the cookies of a response sign in. */
  async function viewerAfter(result: object): Promise<Viewer | null> {
    const cookies = "cookies" in result ? (result.cookies as string[]) : [];
    return identity.sessions.viewerOf({ cookie: asCookieHeader(cookies) });
  }

  return { ...providers, identity, notices, welcomed, logged, begin, signIn, viewerAfter };
}

type BeginFields = {
  browser: ClientInfo;
  returnTo: string;
  origin: string;
  inPopup: boolean;
  invitation: string;
  follow: string;
};

/** The error code in a rejected promise or a response; null on success. */
export async function codeOf(work: object): Promise<string | null> {
  try {
    const answer = await work;
    const found = (answer as { problem?: unknown }).problem;
    return isSignInProblem(found) ? found.code : null;
  } catch (error) {
    if (isSignInProblem(error)) return error.code;
    throw error;
  }
}
