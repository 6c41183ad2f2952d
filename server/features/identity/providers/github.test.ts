import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "#server/test/database.ts";
import { codeOf, testProviders } from "#server/test/providers.ts";
import type { Viewer } from "#shared/views.ts";

/* GitHub's protocol, on loopback at the paths of a GitHub Enterprise Server (docs.github.com). */

type Email = { email: string; primary: boolean; verified: boolean };
const hub = {
  id: 583_231 as unknown,
  name: "Mona Lisa Octocat" as string | null,
  emails: [] as Email[],
  /** the answer of the token endpoint, with status 200 */
  error: null as string | null,
  emailsStatus: 200,
  asked: [] as string[],
};

const server = createServer(async (request, response) => {
  const form = new URLSearchParams(await text(request));
  const { pathname } = new URL(request.url ?? "", "http://hub");
  hub.asked.push(pathname);
  const say = (status: number, body: unknown) => {
    response.writeHead(status, { "Content-Type": "application/json; charset=utf-8" });
    response.end(JSON.stringify(body));
  };
  if (pathname === "/login/oauth/access_token") {
    const right = form.get("client_id") === "hub-id" && form.get("client_secret") === "hub-secret";
    const error = right ? hub.error : "incorrect_client_credentials";
    if (error) return say(200, { error, error_description: "words", error_uri: "https://x" });
    return say(200, { access_token: "gho_x", scope: "read:user,user:email", token_type: "bearer" });
  }
  if (request.headers.authorization !== "Bearer gho_x" || !request.headers["user-agent"]) {
    return say(401, { message: "Requires authentication" });
  }
  if (pathname === "/api/v3/user") {
    // The public email proves nothing: it may be unset, or not the verified one.
    return say(200, { login: "octocat", id: hub.id, name: hub.name, email: "public@example.org" });
  }
  if (pathname === "/api/v3/user/emails") return say(hub.emailsStatus, hub.emails);
  return say(404, { message: "Not Found" });
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const settings = { kind: "github", name: "github", label: "GitHub", issuer } as const;

const { db } = await freshDatabase();
const providers = testProviders(db, [
  { ...settings, clientId: "hub-id", clientSecret: "hub-secret" },
]);

let people = 0;
beforeEach(() => {
  people += 1;
  const email = `mona${people}@example.org`;
  const emails = [{ email, primary: true, verified: true }];
  Object.assign(hub, { id: 583_231 + people, name: "Mona Lisa Octocat", emails, error: null });
  hub.emailsStatus = 200;
});

async function signIn(from = providers) {
  const { url, browser } = await from.begin("github");
  const state = new URL(url).searchParams.get("state") ?? "";
  const query = new URLSearchParams({ code: "abc", state }).toString();
  const request = { provider: "github", query, viewer: null, client: browser };
  return (await from.finish(request)).result;
}

test("GitHub is asked at its own addresses, for the profile and the emails", async () => {
  const { url } = await providers.begin("github");
  const { origin, pathname, searchParams } = new URL(url);
  expect(origin + pathname).toBe(`${issuer}/login/oauth/authorize`);
  expect(searchParams.get("scope")).toBe("read:user user:email");
  expect(searchParams.get("code_challenge_method")).toBe("S256");
  const real = testProviders(db, [
    { ...settings, issuer: "https://github.com", clientId: "a", clientSecret: "b" },
  ]);
  expect((await real.begin("github")).url).toMatch(
    /^https:\/\/github\.com\/login\/oauth\/authorize\?/,
  );
});

test("a first sign-in at GitHub makes an account with the name and the verified email", async () => {
  hub.emails.unshift({ email: "old@example.org", primary: false, verified: true });
  const viewer = (await providers.viewerAfter(await signIn())) as Viewer;
  expect(viewer).toMatchObject({
    email: `mona${people}@example.org`,
    firstName: "Mona",
    secondName: "Lisa Octocat",
  });
  expect((await providers.viewerAfter(await signIn()))?.id).toBe(viewer.id);
  hub.name = null;
  hub.id = 99_000 + people;
  hub.emails = [{ email: "nameless@example.org", primary: true, verified: true }];
  expect((await providers.viewerAfter(await signIn()))?.name).toMatch(/^user_/);
});

test("an unverified email at GitHub links to no account", async () => {
  const first = await providers.viewerAfter(await signIn());
  expect(first).not.toBeNull();
  hub.id = 77_000 + people;
  hub.emails = hub.emails.map((one) => ({ ...one, verified: false }));
  expect(await codeOf(signIn())).toBe("account-exists");
});

test("emails that GitHub does not return make no account", async () => {
  hub.emails = [];
  expect(await codeOf(signIn())).toBe("email-missing");
});

test.each([
  ["bad_verification_code", "sign-in-expired"],
  ["incorrect_client_credentials", "invalid-api-key"],
  ["redirect_uri_mismatch", "unauthorized-domain"],
  ["unverified_user_email", "internal-error"],
])("GitHub's %s inside an answer with status 200 is %s", async (error, code) => {
  hub.error = error;
  expect(await codeOf(signIn())).toBe(code);
  expect(hub.asked.at(-1)).toBe("/login/oauth/access_token");
});

test("a wrong secret is reported, to the operator in the log too", async () => {
  const wrong = testProviders(db, [{ ...settings, clientId: "hub-id", clientSecret: "wrong" }]);
  expect(await codeOf(signIn(wrong))).toBe("invalid-api-key");
  expect(wrong.logged.join("")).toContain("incorrect_client_credentials");
});

test("a GitHub without an id, or that does not answer for the emails, signs nobody in", async () => {
  hub.id = "583231";
  expect(await codeOf(signIn())).toBe("internal-error");
  hub.id = 66_000 + people;
  hub.emailsStatus = 404;
  expect(await codeOf(signIn())).toBe("internal-error");
  hub.emailsStatus = 502;
  expect(await codeOf(signIn())).toBe("network-request-failed");
});
