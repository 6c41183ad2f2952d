import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Provider, type Configuration } from "oidc-provider";

export const client = { id: "postcard", secret: "a secret of the stories" };

export type IdentityProvider = {
  issuer: string;
  /** From now on it answers, for a Postcard at this address; before that it is down. */
  serve: (postcardUrl: string) => void;
  /** Header that its pages send: Cross-Origin-Opener-Policy */
  openerPolicy: (policy: string | null) => void;
  stop: () => Promise<void>;
};

/**
 * A real OpenID Connect provider on loopback, under another site than Postcard's `localhost`. Who
 * writes `name` into its form is `name@example.org`, verified unless the name begins with
 * "unverified". `email-of-name` has another subject and the email of `name`.
 */
export async function startIdentityProvider(name: string): Promise<IdentityProvider> {
  let policy: string | null = null;
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
      handle = new Provider(issuer, configurationFor(redirectUri)).callback();
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
    // Nobody is asked for consent: the stories are about signing in.
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
