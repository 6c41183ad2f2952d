import { createHash, createSign, generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterFile } from "#server/test/after-file.ts";

type Claims = Record<string, unknown>;
type Answer = { status?: number; body: unknown; headers?: Record<string, string> };

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const keyId = "key-of-tests";

export const clientId = "postcard";
export const clientSecret = "a secret & more: äöü";

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** An OpenID Connect provider that misbehaves on demand, as the real one of the stories never does. */
export async function scriptedProvider() {
  const grants = new Map<string, { challenge: string; nonce: string; claims: Claims }>();
  const asked: string[] = [];
  const script = {
    /** answers everything with 503 */
    down: false,
    /** values in its discovery document, added or replaced */
    metadata: {} as Claims,
    /** claims in its ID token, added or replaced */
    idToken: {} as Claims,
    /** signs with a key that it does not publish */
    foreignKey: false,
    /** the response of its token endpoint instead of the right one */
    token: null as Answer | null,
    /** what happens while its token endpoint handles a request */
    meanwhile: null as (() => Promise<unknown>) | null,
  };

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { pathname } = new URL(request.url ?? "", issuer);
    asked.push(pathname);
    if (pathname === "/token") await script.meanwhile?.();
    const {
      status = 200,
      headers = {},
      ...said
    } = script.down
      ? { status: 503, body: { error: "away" } }
      : answerTo(pathname, new URLSearchParams(body), request.headers.authorization ?? "");
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify(said.body));
  }

  function answerTo(pathname: string, form: URLSearchParams, authorization: string): Answer {
    if (pathname === "/.well-known/openid-configuration") return { body: metadata() };
    if (pathname === "/jwks") {
      const key = pair.publicKey.export({ format: "jwk" });
      return { body: { keys: [{ ...key, kid: keyId, use: "sig", alg: "RS256" }] } };
    }
    if (pathname === "/token") return script.token ?? tokens(form, authorization);
    return { status: 404, body: {} };
  }

  function metadata(): Claims {
    return {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      ...script.metadata,
    };
  }

  /** RFC 6749, 4.1.3 and 5: a code is valid once, for the client and the verifier it was made for. */
  function tokens(form: URLSearchParams, authorization: string): Answer {
    const [id, secret] = Buffer.from(authorization.replace(/^Basic /, ""), "base64")
      .toString()
      .split(":")
      .map((part) => decodeURIComponent(part.replaceAll("+", " ")));
    if (id !== clientId || secret !== clientSecret) {
      const headers = { "WWW-Authenticate": "Basic" };
      return { status: 401, body: { error: "invalid_client" }, headers };
    }
    const code = form.get("code") ?? "";
    const grant = grants.get(code);
    grants.delete(code);
    const verifier = form.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    if (!grant || grant.challenge !== challenge) {
      return { status: 400, body: { error: "invalid_grant" } };
    }
    const now = Math.floor(Date.now() / 1000);
    const standard = { iss: issuer, aud: clientId, iat: now, exp: now + 300, nonce: grant.nonce };
    const claims = { ...standard, ...grant.claims, ...script.idToken };
    const body = { access_token: randomUUID(), token_type: "Bearer", id_token: sign(claims) };
    return { body };
  }

  function sign(claims: Claims): string {
    const signed = `${part({ alg: "RS256", kid: keyId })}.${part(claims)}`;
    const key = script.foreignKey
      ? generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
      : pair.privateKey;
    return `${signed}.${createSign("RSA-SHA256").update(signed).sign(key, "base64url")}`;
  }

  /** What the provider's page does after somebody signed in there: returns the query to come back with. */
  function approve(authorizationUrl: string, claims: Claims): URLSearchParams {
    const query = new URL(authorizationUrl).searchParams;
    const code = randomUUID();
    const [challenge, nonce] = [query.get("code_challenge") ?? "", query.get("nonce") ?? ""];
    grants.set(code, { challenge, nonce, claims });
    return new URLSearchParams({ code, state: query.get("state") ?? "", iss: issuer });
  }

  return { issuer, script, asked, approve };
}

export type ScriptedProvider = Awaited<ReturnType<typeof scriptedProvider>>;
