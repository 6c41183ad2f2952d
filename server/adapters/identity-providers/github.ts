import { isLoopback } from "#server/networks.ts";
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
import { toProblem } from "#server/adapters/identity-providers/explain.ts";
import type { IdentityProvider } from "#server/adapters/identity-providers/identity-provider.ts";
import { type ProviderSettings } from "#server/adapters/identity-providers/settings.ts";
import { problem, providerSeconds } from "#shared/providers.ts";

type GitHubEmail = { email: string; primary: boolean; verified: boolean };

/**
 * GitHub speaks OAuth 2.0, not OpenID Connect: who signed in is asked of its API, the emails in a
 * call of their own, and a refused code is answered with status 200 and an error inside
 * (docs.github.com, "Authorizing OAuth apps"). `issuer` is GitHub's address or that of a GitHub
 * Enterprise Server, whose API stands under /api/v3.
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

  async function read(path: string, token: string): Promise<unknown> {
    const headers = new Headers({
      Accept: "application/vnd.github+json",
      "X-GitHub-Api-Version": "2022-11-28",
      // GitHub refuses requests without one.
      "User-Agent": "Postcard",
    });
    const url = new URL(api + path);
    const response = await fetchProtectedResource(configuration, token, url, "GET", null, headers);
    if (!response.ok) throw new Error(`GitHub answered ${path} with ${response.status}`);
    return response.json();
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
        const { subject, fullName } = personOf(await read("/user", token));
        const [firstName = "", ...rest] = fullName.trim().split(/\s+/u);
        const email = mainEmail(await read("/user/emails", token));
        return {
          issuer,
          subject,
          email: email?.email ?? null,
          emailVerified: email?.verified ?? false,
          firstName,
          secondName: rest.join(" "),
        };
      } catch (error) {
        throw toProblem(error, "internal-error");
      }
    },
  };
}

/** The standard's way to say what GitHub says with status 200: then the library reads it. */
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

function personOf(answer: unknown): { subject: string; fullName: string } {
  const { id, name } = (answer ?? {}) as { id?: unknown; name?: unknown };
  if (!Number.isSafeInteger(id)) throw problem("internal-error", new Error("GitHub told no id"));
  return { subject: String(id), fullName: typeof name === "string" ? name : "" };
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
