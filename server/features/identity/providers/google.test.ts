import { createSign, generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { readProviders } from "#server/adapters/identity-providers/settings.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testProviders } from "#server/test/providers.ts";

/**
 * What https://accounts.google.com/.well-known/openid-configuration documents
 * (developers.google.com/identity/openid-connect/openid-connect, "Discovery document").
 */
const discovery = {
  issuer: "https://accounts.google.com",
  authorization_endpoint: "https://accounts.google.com/o/oauth2/v2/auth",
  device_authorization_endpoint: "https://oauth2.googleapis.com/device/code",
  token_endpoint: "https://oauth2.googleapis.com/token",
  userinfo_endpoint: "https://openidconnect.googleapis.com/v1/userinfo",
  revocation_endpoint: "https://oauth2.googleapis.com/revoke",
  jwks_uri: "https://www.googleapis.com/oauth2/v3/certs",
  response_types_supported: [
    "code",
    "token",
    "id_token",
    "code token",
    "code id_token",
    "token id_token",
    "code token id_token",
    "none",
  ],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  scopes_supported: ["openid", "email", "profile"],
  token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
  claims_supported: ["aud", "email", "email_verified", "exp", "family_name", "given_name", "iat"],
  code_challenge_methods_supported: ["plain", "S256"],
  grant_types_supported: ["authorization_code", "refresh_token"],
};

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const { db } = await freshDatabase();

test("Google, as its discovery document describes it, signs people in", async () => {
  const asked: string[] = [];
  let claims: Record<string, unknown> = {};
  const google: typeof fetch = async (input, init) => {
    const url = String(input);
    asked.push(url);
    expect(init?.redirect).toBe("manual");
    expect(init?.signal).toBeInstanceOf(AbortSignal);
    if (url === "https://accounts.google.com/.well-known/openid-configuration") {
      return Response.json(discovery);
    }
    if (url === discovery.jwks_uri) {
      const key = publicKey.export({ format: "jwk" });
      return Response.json({ keys: [{ ...key, kid: "g", alg: "RS256", use: "sig" }] });
    }
    if (url === discovery.token_endpoint) {
      const id_token = signed(claims);
      return Response.json({
        access_token: "ya29",
        expires_in: 3599,
        token_type: "Bearer",
        id_token,
      });
    }
    return new Response(null, { status: 404 });
  };
  const settings = readProviders({ GOOGLE_CLIENT_ID: "g-id", GOOGLE_CLIENT_SECRET: "g-secret" });
  const providers = testProviders(db, settings, { providerFetch: google });
  const { url, browser } = await providers.begin("google");
  const query = new URL(url).searchParams;
  expect(url).toMatch(/^https:\/\/accounts\.google\.com\/o\/oauth2\/v2\/auth\?/);
  expect(query.get("redirect_uri")).toBe("http://localhost:3000/signIn/from/google");
  expect(query.get("scope")).toBe("openid email profile");

  const now = Math.floor(Date.now() / 1000);
  claims = {
    iss: "https://accounts.google.com",
    azp: "g-id",
    aud: "g-id",
    sub: "110169484474386276334",
    at_hash: "HK6E_P6Dh8Y93mRNtsDB1Q",
    email: "jsmith@example.com",
    email_verified: true,
    name: "Jane Smith",
    given_name: "Jane",
    family_name: "Smith",
    picture: "https://lh3.googleusercontent.com/a/x=s96-c",
    iat: now,
    exp: now + 3600,
    nonce: query.get("nonce"),
  };
  // What Google sends along: https://developers.google.com/identity/openid-connect/openid-connect
  const back = { state: query.get("state") ?? "", code: "4/P7q7W91a", scope: "openid email" };
  const { result } = await providers.finish({
    provider: "google",
    query: new URLSearchParams({ ...back, authuser: "0", prompt: "consent" }).toString(),
    viewer: null,
    client: browser,
  });
  expect(await providers.viewerAfter(result)).toMatchObject({
    name: "Jane Smith",
    email: "jsmith@example.com",
  });
  // the profile image is never fetched
  expect(new Set(asked.map((address) => new URL(address).host))).toEqual(
    new Set(["accounts.google.com", "oauth2.googleapis.com", "www.googleapis.com"]),
  );
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function signed(claims: Record<string, unknown>): string {
  const text = `${part({ alg: "RS256", kid: "g" })}.${part(claims)}`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(privateKey, "base64url")}`;
}
