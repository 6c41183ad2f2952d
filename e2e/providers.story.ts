import type { Page } from "@playwright/test";
import { popupNumbers, signInProblems } from "#shared/providers.ts";
import { appCode } from "../server/test/authenticator-app.ts";
import { axeFinds } from "./support/axe.ts";
import {
  client,
  startIdentityProvider,
  type IdentityProvider,
} from "./support/identity-provider.ts";
import { addMember, enter } from "./support/members.ts";
import { turnOnSecondStep } from "./support/second-step.ts";
import { startPostcard } from "./support/postcard-server.ts";
import { desktop, expect, test as base } from "./support/stories.ts";

/** A provider that runs as long as its fixture. */
const provided =
  (name: string) =>
  // oxlint-disable-next-line no-empty-pattern
  async ({}, use: (provider: IdentityProvider) => Promise<void>) => {
    const provider = await startIdentityProvider(name);
    await use(provider);
    await provider.stop();
  };

/** A server for these stories, with three real providers: one of them is down when it starts. */
const test = base.extend<
  object,
  { town: IdentityProvider; club: IdentityProvider; late: IdentityProvider }
>({
  town: [provided("town"), { scope: "worker" }],
  club: [provided("club"), { scope: "worker" }],
  late: [provided("late"), { scope: "worker" }],
  running: [
    async ({ town, club, late }, use) => {
      const server = await startPostcard(
        Object.fromEntries(
          Object.entries({ TOWN: town, CLUB: club, LATE: late }).flatMap(([name, { issuer }]) => [
            [`OIDC_${name}_ISSUER`, issuer],
            [`OIDC_${name}_CLIENT_ID`, client.id],
            [`OIDC_${name}_CLIENT_SECRET`, client.secret],
          ]),
        ),
      );
      town.serve(server.url);
      club.serve(server.url);
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
});
test.describe.configure({ mode: "default" });

/** The provider's own pages want a font from the internet. */
const font = /ERR_NAME_NOT_RESOLVED/;

const button = (page: Page, label: string) =>
  page.getByRole("link", { name: `Continue with ${label}` });
const toasts = (page: Page) => page.getByRole("region", { name: "Messages" });
/** The buttons' script has loaded: only then does a press open a popup. */
const ready = (page: Page) =>
  expect
    .poll(() =>
      button(page, "Town").evaluate((link) =>
        Object.keys(link).some((key) => key.startsWith("__reactProps")),
      ),
    )
    .toBe(true);

async function pressed(page: Page, label: string): Promise<Page> {
  const popup = page.waitForEvent("popup");
  await button(page, label).click();
  return popup;
}

/** Signs in at the provider. */
async function sayWho(at: Page, login: string): Promise<void> {
  await at.getByPlaceholder("Enter any login").fill(login);
  await at.getByPlaceholder("and password").fill("anything");
  await at.getByRole("button", { name: "Sign-in" }).click();
}

async function readDialog(page: Page, text: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Success" });
  await expect(dialog).toContainText(text);
  await dialog.getByRole("button", { name: "OK" }).click();
}

let people = 0;
const somebody = () => `person${process.pid}x${(people += 1)}`;

test("a visitor comes in through a provider's popup and goes on where one was going", async ({
  open,
}) => {
  const page = await open(null, { viewport: desktop, expects: /401/ });
  await page.goto("/saved");
  await page.getByRole("main").getByRole("link", { name: "Sign In" }).click();
  await ready(page);
  const who = somebody();
  const popup = await pressed(page, "Town");
  await popup.waitForURL(/127\.0\.0\.1/);
  expect(await popup.evaluate(() => [innerWidth, innerHeight])).toEqual([
    popupNumbers.width,
    popupNumbers.height,
  ]);
  await expect(button(page, "Town")).toHaveAttribute("aria-busy", "true");
  const gone = popup.waitForEvent("close");
  await sayWho(popup, who);
  await gone;
  await readDialog(page, "Account created Successfully");
  await expect(page).toHaveURL("/saved");
  await expect(page.getByRole("heading", { name: "Saved" })).toBeVisible();
  await page.goto("/profile");
  await expect(page.getByRole("main").getByText(`${who} Person`).first()).toBeVisible();
  // its avatar is drawn from the initials
  await expect(page.getByRole("main").getByText("PP", { exact: true }).first()).toBeVisible();

  // The provider knows the browser by now: the second time is one press.
  await page.context().clearCookies({ domain: "localhost" });
  await page.goto("/signIn");
  await ready(page);
  await pressed(page, "Town");
  await readDialog(page, "Signed In Successfully");
  await expect(page).toHaveURL("/");
});

test("a popup that is closed ends the waiting in silence, after its time of grace", async ({
  open,
}) => {
  const page = await open(null);
  await page.clock.install();
  await page.goto("/signUp");
  await ready(page);
  const popup = await pressed(page, "Town");
  await popup.waitForURL(/127\.0\.0\.1/);
  const link = button(page, "Town");
  const asked = () => page.waitForResponse(/calls\/provider-attempt/);
  await popup.close();
  let answer = asked();
  await page.clock.fastForward(popupNumbers.pollFromMs);
  await answer;
  await expect(link).toHaveAttribute("aria-busy", "true");
  answer = asked();
  await page.clock.fastForward(popupNumbers.closedAfterMs);
  await answer;
  await expect(link).not.toHaveAttribute("aria-busy", "true");
  await expect(toasts(page).getByRole("listitem")).toHaveCount(0);
});

test("a second popup cancels the first", async ({ open }) => {
  const page = await open(null, { viewport: desktop });
  await page.goto("/signIn");
  await ready(page);
  const first = await pressed(page, "Town");
  await first.waitForURL(/127\.0\.0\.1/);
  const closed = first.waitForEvent("close");
  const second = await pressed(page, "Club");
  await closed;
  await expect(toasts(page).getByText(signInProblems["cancelled-popup-request"])).toBeVisible();
  await sayWho(second, somebody());
  await readDialog(page, "Account created Successfully");
});

test("where popups are blocked the whole window goes to the provider and comes back", async ({
  open,
}) => {
  const page = await open(null, { expects: font });
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto("/signIn?returnTo=/saved");
  await ready(page);
  await button(page, "Town").click();
  await sayWho(page, somebody());
  await readDialog(page, "Account created Successfully");
  await expect(page).toHaveURL("/saved");
});

test("an app on the home screen, which cannot open a window, does so as well", async ({ open }) => {
  const page = await open(null, { expects: font });
  await page.addInitScript(() => {
    const { matchMedia } = window;
    window.matchMedia = (query) =>
      matchMedia.call(window, query.includes("standalone") ? "all" : query);
  });
  const held = Promise.withResolvers<void>();
  await page.route("**/calls/begin-provider", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto("/signIn");
  await ready(page);
  await button(page, "Town").click();
  const sentence = signInProblems["operation-not-supported-in-this-environment"];
  await expect(page.getByText(sentence).first()).toBeVisible();
  held.resolve();
  await expect(page.getByPlaceholder("Enter any login")).toBeVisible();
});

test("a provider that cuts its popup off from us signs in all the same", async ({ open, town }) => {
  const page = await open(null, { viewport: desktop });
  await page.clock.install();
  await page.addInitScript(() => {
    const { open } = window;
    window.open = (...given) => {
      const popup = open.apply(window, given);
      Object.assign(window, { popup });
      return popup;
    };
  });
  town.openerPolicy("same-origin");
  try {
    await page.goto("/signIn");
    await ready(page);
    const popup = await pressed(page, "Town");
    await popup.waitForURL(/127\.0\.0\.1/);
    // It lies: the popup is open.
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { popup: Window }).popup.closed))
      .toBe(true);
    expect(popup.isClosed()).toBe(false);
    // Even if we took it for closed, it counts when it comes back.
    for (const ms of [popupNumbers.pollFromMs, popupNumbers.closedAfterMs]) {
      const answer = page.waitForResponse(/calls\/provider-attempt/);
      await page.clock.fastForward(ms);
      await answer;
    }
    await expect(button(page, "Town")).not.toHaveAttribute("aria-busy", "true");
    const gone = popup.waitForEvent("close");
    await sayWho(popup, somebody());
    await gone;
    await readDialog(page, "Account created Successfully");
  } finally {
    town.openerPolicy(null);
  }
});

test("a provider that was down when Postcard started is reported as down, and works when it is back", async ({
  open,
  late,
  postcard,
}) => {
  const page = await open(null);
  await page.goto("/signIn");
  await ready(page);
  await button(page, "Late").click();
  await expect(toasts(page).getByText(signInProblems["network-request-failed"])).toBeVisible();
  expect(page.context().pages()).toHaveLength(1);
  late.serve(postcard);
  await sayWho(await pressed(page, "Late"), somebody());
  await readDialog(page, "Account created Successfully");
});

test("a return without a start, and one that was used, sign nobody in", async ({ open, town }) => {
  const page = await open(null);
  const iss = encodeURIComponent(town.issuer);
  await page.goto(`/signIn/from/town?code=abc&state=of-somebody&iss=${iss}`);
  await expect(page.getByRole("alert")).toHaveText(signInProblems["web-storage-unsupported"]);
  await ready(page);
  let back = "";
  page.context().on("request", (request) => {
    if (request.url().includes("/signIn/from/town?code=")) back = request.url();
  });
  const popup = await pressed(page, "Town");
  const gone = popup.waitForEvent("close");
  await sayWho(popup, somebody());
  await gone;
  await page.getByRole("dialog", { name: "Success" }).waitFor();
  expect(back).toContain("state=");
  await page.context().clearCookies({ name: "postcard.session" });
  await page.goto(back);
  await expect(page.getByRole("alert")).toHaveText(signInProblems["sign-in-expired"]);

  const stranger = await open(null);
  await stranger.goto(back);
  await expect(stranger.getByRole("alert")).toHaveText(signInProblems["web-storage-unsupported"]);
});

test("a provider whose token names another issuer, audience or sign-in signs nobody in", async ({
  open,
  club,
}) => {
  const who = somebody();
  for (const lie of [
    { iss: "https://elsewhere.example" },
    { aud: "somebody-else" },
    { nonce: "of another sign-in" },
    null,
  ]) {
    club.lie(lie);
    const page = await open(null);
    await page.goto("/signIn");
    await ready(page);
    await sayWho(await pressed(page, "Club"), who);
    if (lie) await expect(toasts(page).getByText(signInProblems["internal-error"])).toBeVisible();
    // the lies made no account
    else await readDialog(page, "Account created Successfully");
  }
});

test("the same email at another provider leads to the same account, if both verified it", async ({
  open,
}) => {
  const who = somebody();
  for (const [label, login, text] of [
    ["Town", who, "Account created Successfully"],
    ["Club", `email-of-${who}`, "Signed In Successfully"],
  ] as const) {
    const page = await open(null);
    await page.goto("/signIn");
    await ready(page);
    await sayWho(await pressed(page, label), login);
    await readDialog(page, text);
    await page.goto("/profile");
    await expect(page.getByRole("main").getByText(`${who} Person`).first()).toBeVisible();
  }
  const unverified = `unverified${somebody()}`;
  for (const [label, login] of [
    ["Town", unverified],
    ["Club", `email-of-${unverified}`],
  ] as const) {
    const page = await open(null);
    await page.goto("/signIn");
    await ready(page);
    await sayWho(await pressed(page, label), login);
    if (label === "Town") await readDialog(page, "Account created Successfully");
    else await expect(toasts(page).getByText(signInProblems["account-exists"])).toBeVisible();
  }
});

test("what stands in the way is said in a sentence, and the form stays as it is", async ({
  open,
  postcard,
}) => {
  const page = await open(null, { expects: /status of 500|ERR_FAILED/ });
  await page.clock.install();
  await page.goto("/signIn");
  await ready(page);
  await page.getByLabel("Email").fill("half@typed");
  const call = "**/calls/begin-provider";
  const tells = async (sentence: string) => {
    await button(page, "Town").click();
    await expect(toasts(page).getByText(sentence)).toBeVisible();
    await expect(button(page, "Town")).not.toHaveAttribute("aria-busy", "true");
    expect(page.context().pages()).toHaveLength(1);
    await page.unroute(call);
  };
  await page.route(call, (route) => route.abort());
  await tells(signInProblems["network-request-failed"]);
  await page.route(call, (route) => route.fulfill({ status: 500, body: "oops" }));
  await tells(signInProblems["internal-error"]);
  await page.route(call, (route) =>
    route.fulfill({ json: { error: { code: "invalid-api-key", message: "" } } }),
  );
  await tells(signInProblems["invalid-api-key"]);
  // The popup's first page has fifteen seconds.
  await page.route(call, () => undefined);
  await button(page, "Town").click();
  await page.clock.fastForward(popupNumbers.firstPageMs);
  await expect(button(page, "Town")).not.toHaveAttribute("aria-busy", "true");
  await page.unroute(call);
  await page.evaluate(() =>
    Object.defineProperty(navigator, "cookieEnabled", { get: () => false }),
  );
  await tells(signInProblems["web-storage-unsupported"]);
  await expect(page.getByLabel("Email")).toHaveValue("half@typed");

  const elsewhere = await open(null);
  await elsewhere.goto(`${postcard.replace("localhost", "127.0.0.1")}/signIn`);
  await ready(elsewhere);
  await button(elsewhere, "Town").click();
  await expect(toasts(elsewhere).getByText(signInProblems["unauthorized-domain"])).toBeVisible();
});

test("without scripts the buttons are links, there and back", async ({ open }) => {
  const page = await open(null, { javaScriptEnabled: false, expects: font });
  await page.goto("/signUp?returnTo=/saved");
  await button(page, "Town").click();
  await sayWho(page, somebody());
  await expect(page.getByRole("dialog")).toContainText("Account created Successfully");
  await page.getByRole("link", { name: "OK" }).click();
  await expect(page).toHaveURL("/saved");
});

test("a member connects a provider with the password, and disconnects it again", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Connie", secondName: "Nect" });
  const page = await open(member, { viewport: desktop, expects: /40[34]/ });
  await page.goto("/settings/security/connect/town");
  const press = page.getByRole("button", { name: "Continue to Town" });
  const password = page.getByLabel("Current password", { exact: true });
  await expect
    .poll(() =>
      press.evaluate((it) => Object.keys(it).some((key) => key.startsWith("__reactProps"))),
    )
    .toBe(true);
  await password.fill("not this one");
  await press.click();
  await expect(page.getByText("This isn't your current password.")).toBeVisible();
  await password.fill(member.password);
  const opens = page.waitForEvent("popup");
  await press.click();
  const who = somebody();
  await sayWho(await opens, who);
  await expect(page).toHaveURL("/settings/security");
  await expect(page.getByText("Connected since")).toBeVisible();
  await expect(page.getByRole("link", { name: "Disconnect Town" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Connect Club" })).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);

  const other = await open(null);
  await other.goto("/signIn");
  await ready(other);
  await sayWho(await pressed(other, "Town"), who);
  await readDialog(other, "Signed In Successfully");
  await other.goto("/profile");
  await expect(other.getByRole("main").getByText("Connie Nect").first()).toBeVisible();

  // A provider is one factor: a member with a second step is asked for it, in this window.
  const key = await turnOnSecondStep(postcard, member);
  await other.context().clearCookies({ domain: "localhost" });
  await other.goto("/signIn?returnTo=/saved");
  await ready(other);
  await pressed(other, "Town");
  await expect(other).toHaveURL("/signIn/code?returnTo=%2Fsaved");
  await other.getByLabel("Code from your app").fill(await appCode(key, 1));
  await other.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await readDialog(other, "Signed In Successfully");
  await expect(other).toHaveURL("/saved");

  const plain = await open(null, { javaScriptEnabled: false, expects: /40[34]|ERR_NAME/ });
  await enter(plain.context(), postcard, member);
  // The session had the password a moment ago: nothing asks for it again.
  await plain.goto("/settings/security/disconnect/town");
  await expect(plain.getByLabel("Current password", { exact: true })).toHaveCount(0);
  await plain.getByRole("button", { name: "Disconnect" }).click();
  await expect(plain).toHaveURL("/settings/security");
  await plain.goto("/settings/security/connect/town");
  await plain.getByRole("button", { name: "Continue to Town" }).click();
  await plain.getByRole("link", { name: "Continue to Town" }).click();
  await sayWho(plain, who);
  await expect(plain).toHaveURL("/settings/security");
});

test("the buttons can be read, reached and distinguished, in both themes", async ({ open }) => {
  for (const theme of ["light", "synthwave"] as const) {
    const page = await open(null, { theme });
    await page.goto("/signIn");
    await ready(page);
    expect(await axeFinds(page)).toEqual([]);
    await page.getByRole("link", { name: "Continue with Club" }).focus();
    await page.keyboard.press("Tab");
    await expect(button(page, "Late")).toBeFocused();
  }
});
