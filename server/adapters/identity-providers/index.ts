import { createBoundedFetch } from "#server/adapters/identity-providers/bounded-fetch.ts";
import { createGithubProvider } from "#server/adapters/identity-providers/github.ts";
import type { IdentityProvider } from "#server/adapters/identity-providers/identity-provider.ts";
import { createOidcProvider } from "#server/adapters/identity-providers/oidc.ts";
import type { ProviderSettings } from "#server/adapters/identity-providers/settings.ts";

/** The providers of the configuration, by name. Nothing is requested from them yet. */
export function createIdentityProviders(
  settings: readonly ProviderSettings[],
  send: typeof fetch,
): Map<string, IdentityProvider> {
  const fetchBounded = createBoundedFetch(send);
  return new Map(
    settings.map((one) => {
      const create = one.kind === "github" ? createGithubProvider : createOidcProvider;
      return [one.name, create(one, fetchBounded)];
    }),
  );
}
