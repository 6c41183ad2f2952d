import { isLoopback } from "#server/platform/networks.ts";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ClientAuth,
  type Configuration,
  type CustomFetch,
  type IDToken,
  type UserInfoResponse,
} from "openid-client";
import { toProblem } from "#server/adapters/identity-providers/provider-problems.ts";
import type { IdentityProvider } from "#server/adapters/identity-providers/identity-provider.ts";
import { type ProviderSettings } from "#server/adapters/identity-providers/settings.ts";
import { providerSeconds } from "#shared/providers.ts";

/** How long a discovery document counts as fresh, milliseconds. */
const freshMs = 60 * 60_000;

/**
 * Any OpenID Connect provider. Its discovery document is fetched at the first sign-in and again after an
 * hour: a provider that is away when we start, or moves, is found once it is there.
 */
export function createOidcProvider(
  settings: ProviderSettings,
  fetchBounded: CustomFetch,
): IdentityProvider {
  const { name, label } = settings;
  const configured = rediscovering(() => discover(settings, fetchBounded));
  return {
    name,
    label,
    authorizationUrl: async ({ state, nonce, codeVerifier }, redirectUri) => {
      try {
        return buildAuthorizationUrl(await configured(), {
          redirect_uri: redirectUri,
          scope: "openid email profile",
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: "S256",
        });
      } catch (error) {
        throw toProblem(error, "auth-domain-config-required");
      }
    },
    identify: async (callback, { state, nonce, codeVerifier }) => {
      const configuration = await configured();
      try {
        const tokens = await authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new Error("the answer has no ID token");
        const needsMore =
          claims["email"] === undefined && configuration.serverMetadata().userinfo_endpoint;
        const more = needsMore
          ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims;
        return { issuer: claims.iss, subject: claims.sub, ...identityFrom(more) };
      } catch (error) {
        throw toProblem(error, "internal-error");
      }
    },
  };
}

/** The provider's description of itself; one from an hour ago is better than none. */
function rediscovering(ask: () => Promise<Configuration>): () => Promise<Configuration> {
  let known: { configuration: Configuration; at: number } | null = null;
  let asking: Promise<Configuration> | null = null;
  return async () => {
    if (known && Date.now() - known.at < freshMs) return known.configuration;
    asking ??= ask().finally(() => {
      asking = null;
    });
    try {
      const configuration = await asking;
      known = { configuration, at: Date.now() };
      return configuration;
    } catch (error) {
      if (known) return known.configuration;
      throw error;
    }
  };
}

function discover(
  { issuer, clientId, clientSecret }: ProviderSettings,
  fetchBounded: CustomFetch,
): Promise<Configuration> {
  const server = new URL(issuer);
  const insecure = server.protocol === "http:" && isLoopback(server.hostname);
  return discovery(server, clientId, undefined, secretAsSupported(clientSecret), {
    [customFetch]: fetchBounded,
    timeout: providerSeconds,
    execute: [enableNonRepudiationChecks, ...(insecure ? [allowInsecureRequests] : [])],
  });
}

/**
 * OpenID Connect Core, section 9: client_secret_basic unless the provider says that it takes another method.
 */
function secretAsSupported(secret: string): ClientAuth {
  const [post, basic] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authenticate = methods.includes("client_secret_basic") ? basic : post;
    return authenticate(server, client, body, headers);
  };
}

const text = (claim: unknown) => (typeof claim === "string" ? claim : "");

/** What the standard claims (OpenID Connect Core, section 5.1) say about an account. */
function identityFrom(claims: IDToken | UserInfoResponse) {
  const [first, ...rest] = text(claims["name"]).trim().split(/\s+/u);
  const [given, family] = [text(claims["given_name"]), text(claims["family_name"])];
  return {
    email: text(claims["email"]) || null,
    emailVerified: claims["email_verified"] === true,
    firstName: given || family ? given : (first ?? ""),
    secondName: given || family ? family : rest.join(" "),
  };
}
