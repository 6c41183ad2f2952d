import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { appCode } from "../server/test/authenticator-app.ts";
import { axeFinds } from "./support/axe.ts";
import { addMember } from "./support/members.ts";
import { addPasskey, authenticatorOf, passkeysSection } from "./support/passkeys.ts";
import { turnOnSecondStep } from "./support/second-step.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

const oob = "urn:ietf:wg:oauth:2.0:oob";

const opened: Server[] = [];
test.afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

/** The page of an app, at its own address: where members are sent back to. */
async function startApp() {
  let asked = "";
  const server = createServer(({ url = "" }, answer) => {
    if (url.startsWith("/back")) asked = url;
    answer.setHeader("Content-Type", "text/html");
    answer.end("<!doctype html><link rel=icon href=data:,><p>Back in the app");
  });
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { redirectUri: `http://127.0.0.1:${port}/back`, lastAsked: () => asked };
}

/** Registers a third-party app. */
async function register(page: Page, postcard: string, redirectUri: string) {
  const made = await page.request.post(`${postcard}/api/v1/apps`, {
    data: { client_name: "Paper Plane", redirect_uris: redirectUri, scopes: "read write:media" },
  });
  const app = (await made.json()) as { client_id: string; client_secret: string };
  const asked = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: redirectUri,
    scope: "read write:media",
    response_type: "code",
    state: "the state",
  });
  return { ...app, consent: `/oauth/authorize?${asked}` };
}

test("an app is let in, acts, and is disconnected", async ({ open, postcard }) => {
  const member = await addMember(postcard, { firstName: "Ada", secondName: "Apps" });
  const page = await open(member);
  const { redirectUri, lastAsked } = await startApp();
  const app = await register(page, postcard, redirectUri);

  await page.goto(app.consent);
  await expect(page.getByRole("heading", { name: "Connect an app" })).toBeVisible();
  await expect(page.getByText("Paper Plane wants to use your account.")).toBeVisible();
  await expect(page.getByText("Upload photos as you")).toBeVisible();
  await expect(page.getByText(redirectUri)).toBeVisible();
  await expectNoSidewaysScroll(page);
  // Until the page was in front for a second, it is paler.
  const connect = page.getByRole("button", { name: "Connect", exact: true });
  await expect(connect).not.toHaveAttribute("aria-disabled");
  expect(await axeFinds(page)).toEqual([]);
  await connect.click();
  await expect(page.getByText("Back in the app")).toBeVisible();
  const cameBack = new URL(lastAsked(), redirectUri);
  expect(cameBack.searchParams.get("state")).toBe("the state");

  const answer = await page.request.post(`${postcard}/oauth/token`, {
    form: {
      grant_type: "authorization_code",
      client_id: app.client_id,
      client_secret: app.client_secret,
      redirect_uri: redirectUri,
      code: cameBack.searchParams.get("code") ?? "",
    },
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}` };
  const me = `${postcard}/api/v1/accounts/verify_credentials`;
  const own = (await (await page.request.get(me, { headers })).json()) as { display_name: string };
  expect(own.display_name).toBe("Ada Apps");

  await page.goto("/settings/security");
  await page.getByRole("link", { name: "Connected apps" }).click();
  await expect(page.getByRole("heading", { name: "Connected apps" })).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole("button", { name: "Disconnect Paper Plane" }).click();
  await expect(page.getByText("That app is disconnected.")).toBeVisible();
  await expect(page.getByText("No app is connected.")).toBeVisible();
  expect((await page.request.get(me, { headers })).status()).toBe(401);
});

test("Connect ignores mouse and keys until its page has been in front for a second", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Cal", secondName: "Clicked" });
  const page = await open(member, { viewport: phone });
  const { consent } = await register(page, postcard, oob);
  // It opens behind another window; then time only passes as the story says, so that a busy machine's seconds
  // don't count.
  await page.addInitScript(() => {
    document.hasFocus = () => false;
  });
  const start = Date.now();
  await page.clock.install({ time: start });
  await page.goto(consent);
  const bringToFront = () =>
    page.evaluate(() => {
      document.hasFocus = () => true;
      dispatchEvent(new Event("focus"));
    });
  const connect = page.getByRole("button", { name: "Connect", exact: true });
  let posts = 0;
  page.on("request", (request) => (posts += Number(request.method() === "POST")));
  const pressed = async () => {
    await connect.click({ force: true });
    await connect.press("Enter");
    await connect.press("Space");
  };
  const why = "You can press Connect once this page has been in front for a second.";
  await expect(connect).toHaveAttribute("aria-disabled", "true");
  await expect(connect).toHaveAccessibleDescription(why);
  expect(await axeFinds(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
  await pressed();
  await page.clock.pauseAt(start + 3_600_000);
  await pressed();
  await bringToFront();
  await page.clock.runFor(900);
  await pressed();

  // Something else was in front meanwhile: the second starts again when the page is back in front.
  await page.evaluate(() => dispatchEvent(new Event("blur")));
  await page.clock.runFor(5000);
  await expect(connect).toBeDisabled();
  await pressed();
  await bringToFront();
  await page.clock.runFor(900);
  await expect(connect).toBeDisabled();
  await page.clock.runFor(200);
  await expect(connect).toBeEnabled();
  await expect(page.getByText(why)).toBeHidden();
  expect(posts).toBe(0);
  await page.clock.resume();
  await connect.press("Enter");
  await expect(page.getByRole("heading", { name: "Copy this code" })).toBeVisible();

  // Saying no needs no wait.
  await page.goto(consent);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL("/");
});

test("without scripts, a visitor signs in and gets a code to copy, and can say no", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Bob", secondName: "Plain" });
  const page = await open(null, { javaScriptEnabled: false, viewport: desktop });
  const { consent } = await register(page, postcard, oob);
  await page.goto(consent);
  await expect(page).toHaveURL(/\/signIn\?returnTo=/);
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page.getByRole("main")).toContainText(/Continue|OK|wants to use your account/);
  await page.goto(consent);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Copy this code" })).toBeVisible();
  await expect(page.locator("code")).toHaveText(/^[\w-]{43}$/);
  await page.goto(consent);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL("/");
});

for (const scripts of [true, false]) {
  const how = scripts ? "with scripts" : "without scripts";

  test(`a member with a second step is asked for it before the app is named, ${how}`, async ({
    open,
    postcard,
  }) => {
    const member = await addMember(postcard, { firstName: "Dora", secondName: "Double" });
    const key = await turnOnSecondStep(postcard, member);
    const page = await open(null, { javaScriptEnabled: scripts });
    const { redirectUri, lastAsked } = await startApp();
    const { consent } = await register(page, postcard, redirectUri);
    await page.goto(consent);
    await page.getByLabel("Email").fill(member.email);
    await page.getByLabel("Password", { exact: true }).fill(member.password);
    await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
    await expect(page).toHaveURL(/\/signIn\/code\?returnTo=/);
    await expect(page.getByText("Paper Plane")).toHaveCount(0);
    // The password alone does not get past the code.
    await page.goto(consent);
    await expect(page).toHaveURL(/\/signIn\?returnTo=/);
    await page.goBack();
    await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
    await page.getByRole("textbox", { name: /code/i }).fill(await appCode(key, 1));
    await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
    await pastSuccess(page, scripts);
    await expect(page.getByText("Paper Plane wants to use your account.")).toBeVisible();
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    // The page's policy lets the form lead there, even after a sign-in.
    await expect(page.getByText("Back in the app")).toBeVisible();
    expect(new URL(lastAsked(), redirectUri).searchParams.get("code")).toMatch(/^[\w-]{43}$/);
  });
}

test("a passkey is enough to let an app in", async ({ open, postcard }) => {
  const member = await addMember(postcard, { firstName: "Kia", secondName: "Consent" });
  const page = await open(member);
  await authenticatorOf(page);
  await addPasskey(page, member.password, "My phone");
  await expect(passkeysSection(page).getByRole("listitem")).toContainText("My phone");
  const { consent } = await register(page, postcard, oob);
  await page.context().clearCookies();
  await page.goto(consent);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await pastSuccess(page, true);
  await expect(page.getByText("Paper Plane wants to use your account.")).toBeVisible();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Copy this code" })).toBeVisible();
});

/** The dialog that says so leads on; without scripts it is a page with a link. */
async function pastSuccess(page: Page, scripts: boolean): Promise<void> {
  await expect(page.getByText("Signed In Successfully")).toBeVisible();
  if (scripts) await page.keyboard.press("Escape");
  else await page.getByRole("dialog").getByRole("link").first().click();
}

test("an app that lies about itself redirects nobody", async ({ open, postcard }) => {
  const member = await addMember(postcard, { firstName: "Cleo", secondName: "Careful" });
  const page = await open(member, { expects: /status of 40[01]/ });
  const { consent } = await register(page, postcard, "https://app.example/back");
  for (const lie of [
    consent.replace("app.example", "evil.example"),
    consent.replace("client_id=", "client_id=x"),
    consent.replace("scope=read", "scope=push+read"),
  ]) {
    const status = (await page.goto(lie))?.status() ?? 0;
    expect([400, 401]).toContain(status);
    await expect(page.getByRole("button", { name: "Connect", exact: true })).toHaveCount(0);
  }
});
