import type { FastifyRequest } from "fastify";
import type { AppView } from "#server/features/apps/index.ts";
import type { Call, MastodonRouter, MastodonDeps } from "#server/mastodon/router.ts";
import { networkOf } from "#server/platform/networks.ts";
import { appScopes } from "#shared/app-scopes.ts";
import { refuse } from "#shared/errors.ts";

/**
 * Registering apps, and tokens for the apps that members authorised (docs.joinmastodon.org/methods/apps,
 * /oauth).
 */
export function oauthRoutes(router: MastodonRouter, { features, publicUrl }: MastodonDeps): void {
  const { apps, push } = features;
  router.post("/api/v1/apps", { who: "anybody" }, async ({ request, input }) => {
    const redirects = input.list("redirect_uris").flatMap((text) => text.split(/\s+/));
    const app = await apps.register(
      {
        name: input.text("client_name") ?? "",
        website: input.text("website") ?? "",
        redirectUris: redirects.filter((address) => address !== ""),
        scopes: input.text("scopes") ?? "",
      },
      networkOf(request.ip),
    );
    return {
      ...appEntity(app, push.publicKey),
      client_id: app.clientId,
      client_secret: app.clientSecret,
      client_secret_expires_at: 0,
    };
  });

  router.get("/api/v1/apps/verify_credentials", { who: "app" }, ({ caller }) => {
    if (!caller) throw refuse("app-token");
    return appEntity(caller.app, push.publicKey);
  });

  router.post("/oauth/token", { who: "anybody" }, (call) => token(apps, call));

  router.post("/oauth/revoke", { who: "anybody" }, async ({ request, input }) => {
    await apps.revoke(clientIn(request, input), input.text("token") ?? "");
    return {};
  });

  // RFC 8414
  router.get("/.well-known/oauth-authorization-server", { who: "anybody" }, () => ({
    issuer: `${publicUrl}/`,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    token_endpoint: `${publicUrl}/oauth/token`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    userinfo_endpoint: `${publicUrl}/oauth/userinfo`,
    app_registration_endpoint: `${publicUrl}/api/v1/apps`,
    scopes_supported: appScopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    service_documentation: `${publicUrl}/api`,
  }));
}

/** docs.joinmastodon.org/methods/oauth/#token */
async function token(apps: MastodonDeps["features"]["apps"], { request, reply, input }: Call) {
  // RFC 6749, section 5.1
  void reply.header("Cache-Control", "no-store").header("Pragma", "no-cache");
  const client = clientIn(request, input);
  switch (input.text("grant_type")) {
    case "authorization_code":
      return tokenEntity(
        await apps.exchange(client, {
          code: input.text("code") ?? "",
          redirectUri: input.text("redirect_uri") ?? "",
          verifier: input.text("code_verifier") ?? "",
        }),
      );
    case "client_credentials":
      return tokenEntity(await apps.ownToken(client, input.text("scope") ?? ""));
    default: {
      const message = "Use grant_type authorization_code or client_credentials.";
      throw refuse("app-request", { message });
    }
  }
}

/** docs.joinmastodon.org/entities/Application */
function appEntity(app: AppView, vapidKey: string) {
  return {
    id: app.id,
    name: app.name,
    website: app.website || null,
    scopes: app.scopes,
    redirect_uri: app.redirectUris.join("\n"),
    redirect_uris: app.redirectUris,
    vapid_key: vapidKey,
  };
}

/** docs.joinmastodon.org/entities/Token */
export const tokenEntity = ({ token, scopes }: { token: string; scopes: string[] }) => ({
  access_token: token,
  token_type: "Bearer",
  scope: scopes.join(" "),
  created_at: Math.floor(Date.now() / 1000),
});

/** The app that asks for a token: in the body, or in a header as RFC 6749, section 2.3.1, says. */
function clientIn({ headers }: FastifyRequest, input: Call["input"]) {
  const basic = /^basic +([\w+/=-]+)$/i.exec(headers.authorization ?? "")?.[1];
  const [id, ...secret] = basic ? Buffer.from(basic, "base64").toString().split(":") : [];
  return {
    clientId: id ?? input.text("client_id") ?? "",
    clientSecret: id === undefined ? (input.text("client_secret") ?? "") : secret.join(":"),
  };
}
