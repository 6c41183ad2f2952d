import { isLoopback } from "#server/platform/networks.ts";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  Configuration,
  customFetch,
  fetchProtectedResource,
  type CustomFetch,
} from "openid-client";
import { toProblem } from "#server/adapters/identity-providers/provider-problems.ts";
import type { IdentityProvider } from "#server/adapters/identity-providers/identity-provider.ts";
import { type ProviderSettings } from "#server/adapters/identity-providers/settings.ts";
import { problem, providerSeconds } from "#shared/providers.ts";

type GitHubEmail = { email: string; primary: boolean; verified: boolean };

/**
 * GitHub speaks OAuth 2.0, not OpenID Connect: its API says who signed in, the emails need a separate call,
 * and a refused code is answered with status 200 and an error inside (docs.github.com, "Authorizing OAuth
 * apps"). `issuer` is GitHub's address or that of a GitHub Enterprise Server, whose API is below /api/v3.
 */
export function createGithubProvider(
  { name, label, issuer, clientId, clientSecret }: ProviderSettings,
  fetchBounded: CustomFetch,
): IdentityProvider {
  const api = issuer === "https://github.com" ? "https://api.github.com" : `${issuer}/api/v3`;
  const configuration = new Configuration(
    {
      issuer,
      authorization_endpoint: `${issuer}/login/oauth/authorize`,
      token_endpoint: `${issuer}/login/oauth/access_token`,
    },
    clientId,
    clientSecret,
  );
  configuration[customFetch] = withErrorStatus(fetchBounded);
  configuration.timeout = providerSeconds;
  if (issuer.startsWith("http:") && isLoopback(new URL(issuer).hostname)) {
    allowInsecureRequests(configuration);
  }

  return {
    name,
    label,
    authorizationUrl: async ({ state, codeVerifier }, redirectUri) =>
      buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: "read:user user:email",
        state,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
      }),
    identify: async (callback, { state, codeVerifier }) => {
      try {
        const { access_token: token } = await authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          pkceCodeVerifier: codeVerifier,
        });
        const read = (path: string) => readFromApi(configuration, token, new URL(api + path));
        return { issuer, ...identityFrom(await read("/user"), await read("/user/emails")) };
      } catch (error) {
        throw toProblem(error, "internal-error");
      }
    },
  };
}

async function readFromApi(configuration: Configuration, token: string, url: URL) {
  const headers = new Headers({
    Accept: "application/vnd.github+json",
    "X-GitHub-Api-Version": "2022-11-28",
    // GitHub refuses requests without a user agent.
    "User-Agent": "Postcard",
  });
  const response = await fetchProtectedResource(configuration, token, url, "GET", null, headers);
  if (!response.ok) throw new Error(`GitHub answered ${url.pathname} with ${response.status}`);
  return response.json();
}

/** The standard's form of what GitHub answers with status 200, so that the library can read it. */
function withErrorStatus(send: CustomFetch): CustomFetch {
  return async (url, options) => {
    const response = await send(url, options);
    if (response.status !== 200 || !url.endsWith("/login/oauth/access_token")) return response;
    const answer: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    const failed = typeof (answer as { error?: unknown } | null)?.error === "string";
    const { headers } = response;
    return failed ? new Response(await response.text(), { status: 400, headers }) : response;
  };
}

function identityFrom(user: unknown, emails: unknown) {
  const { id, name } = (user ?? {}) as { id?: unknown; name?: unknown };
  if (!Number.isSafeInteger(id))
    throw problem("internal-error", new Error("GitHub returned no id"));
  const [firstName = "", ...rest] = (typeof name === "string" ? name : "").trim().split(/\s+/u);
  const found = mainEmail(emails);
  return {
    subject: String(id),
    email: found?.email ?? null,
    emailVerified: found?.verified ?? false,
    firstName,
    secondName: rest.join(" "),
  };
}

/** The verified primary address, else another verified one, else the primary one. */
function mainEmail(answer: unknown): GitHubEmail | undefined {
  const emails = (Array.isArray(answer) ? answer : []).filter(
    (entry): entry is GitHubEmail => typeof entry?.email === "string",
  );
  const verified = emails.filter((entry) => entry.verified === true);
  const primary = (entry: GitHubEmail) => entry.primary;
  return verified.find(primary) ?? verified[0] ?? emails.find(primary);
}
