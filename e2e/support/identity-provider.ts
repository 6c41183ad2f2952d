import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { Provider, type Configuration, type JWK } from "oidc-provider";

export const client = { id: "postcard", secret: "a secret of the stories" };

export type IdentityProvider = {
  issuer: string;
  /** Starts it, for a Postcard at this address; before that it is down. */
  serve: (postcardUrl: string) => void;
  /** Header that its pages send: Cross-Origin-Opener-Policy */
  openerPolicy: (policy: string | null) => void;
  /** What its ID tokens say instead of the truth, with its own signature; null: the truth. */
  lie: (claims: JWTPayload | null) => void;
  stop: () => Promise<void>;
};

/**
 * A real OpenID Connect provider on loopback, on another site than Postcard's `localhost`. The login `name`
 * is `name@example.org`, verified unless the name begins with "unverified". `email-of-name` has another
 * subject and the email of `name`.
 */
export async function startIdentityProvider(name: string): Promise<IdentityProvider> {
  let policy: string | null = null;
  let lie: JWTPayload | null = null;
  let handle: ReturnType<Provider["callback"]> | null = null;
  const server: Server = createServer((request, response) => {
    if (policy) response.setHeader("Cross-Origin-Opener-Policy", policy);
    if (handle) return void handle(request, response);
    response.writeHead(503).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    serve: (postcardUrl) => {
      const redirectUri = `${postcardUrl}/signIn/from/${name}`;
      const provider = new Provider(issuer, configurationFor(redirectUri));
      provider.use(async (context, next) => {
        await next();
        const answer = context.body as { id_token?: string } | undefined;
        if (lie && answer?.id_token) answer.id_token = await signed(answer.id_token, lie);
      });
      handle = provider.callback();
    },
    lie: (claims) => {
      lie = claims;
    },
    openerPolicy: (wanted) => {
      policy = wanted;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const key = { kid: "key-of-stories", alg: "RS256" };
const { privateKey } = await generateKeyPair(key.alg, { extractable: true });

/** The ID token with other claims, signed with the provider's own key. */
function signed(token: string, claims: JWTPayload): Promise<string> {
  return new SignJWT({ ...decodeJwt(token), ...claims }).setProtectedHeader(key).sign(privateKey);
}

const privateJwk = { ...(await exportJWK(privateKey)), ...key, use: "sig" };

function configurationFor(redirectUri: string): Configuration {
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
    jwks: { keys: [privateJwk as JWK] },
    scopes: ["openid", "email", "profile"],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true },
    cookies: { keys: ["only for stories"] },
    features: { devInteractions: { enabled: true } },
    findAccount: async (_context, id) => ({
      accountId: id,
      claims: async () => {
        const mailbox = id.replace(/^email-of-/, "");
        return {
          sub: id,
          name: `${mailbox} Person`,
          email: `${mailbox}@example.org`,
          email_verified: !mailbox.startsWith("unverified"),
        };
      },
    }),
    // There is no consent page: the stories are about signing in.
    loadExistingGrant: async (context) => {
      const { provider, session, client } = context.oidc;
      const grant = new provider.Grant({
        clientId: client?.clientId ?? "",
        accountId: session?.accountId ?? "",
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
}
