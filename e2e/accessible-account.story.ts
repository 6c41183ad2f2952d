import type { Page } from "@playwright/test";
import { comment } from "./support/acts.ts";
import { appCode } from "../server/test/authenticator-app.ts";
import { axeFinds } from "./support/axe.ts";
import { addMember, follow, post, type Member } from "./support/members.ts";
import { expect, expectNoSidewaysScroll, test } from "./support/stories.ts";

const calm = { reducedMotion: "reduce" } as const;

/** Except for the colours, the page is the same in both themes. */
async function expectAccessible(page: Page, state: string): Promise<void> {
  for (const [theme, rules] of [["light"], ["synthwave", ["color-contrast"]]] as const) {
    await page.evaluate((name) => {
      document.documentElement.dataset["theme"] = name;
    }, theme);
    expect(await axeFinds(page, rules && [...rules]), `${state}, ${theme}`).toEqual([]);
  }
  await expectNoSidewaysScroll(page);
}

async function give(page: Page, member: Member): Promise<void> {
  await page.goto("/signIn?returnTo=/saved");
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
}

test("axe finds nothing from Your data to the account's deletion and back, in either theme", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Dana", secondName: "Data" });
  await post(postcard, member, { caption: "Words to take along" });
  const page = await open(member, { ...calm, expects: /status of 40[0134]/ });
  await page.goto("/settings/data");
  await page.getByRole("button", { name: "Make my archive" }).click();
  await expect(page.getByRole("link", { name: "Download" })).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page, "a finished archive");
  await page.getByRole("link", { name: "Delete account" }).click();
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page.getByText("required*")).toHaveCount(2);
  await expectAccessible(page, "an empty form to delete the account");

  await page.getByLabel("Type your username").fill(member.username);
  await page.getByLabel("Your password").fill(member.password);
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page).toHaveURL("/goodbye");
  await expectAccessible(page, "the goodbye");
  await give(page, member);
  await expect(page).toHaveURL("/keepAccount");
  await expectAccessible(page, "the way back");
});

test("axe finds nothing on setting up and using a second step, nor on passkeys, in either theme", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Sara", secondName: "Secure" });
  const page = await open(member, { ...calm, expects: /status of 40\d/ });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto("/settings/security?change=passkeys");
  const passkeys = page.getByRole("dialog", { name: "Passkeys" });
  await passkeys.getByLabel("Name").fill("My phone");
  await passkeys.getByLabel("Your password").fill(member.password);
  await passkeys.getByRole("button", { name: "Add a passkey" }).click();
  await expect(passkeys.getByRole("listitem")).toContainText("My phone");

  await expectAccessible(page, "a passkey");
  await page.goto("/settings/security?change=two-factor");
  const second = page.getByRole("dialog", { name: "Two-step sign-in" });
  await second.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByRole("img", { name: "QR code with the key" })).toBeVisible();
  const key = await second.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).innerText();
  await second.getByLabel("Code from your app").fill("000000");
  await second.getByRole("button", { name: "Turn on" }).click();
  await expect(second.getByText("This code is wrong")).toBeVisible();
  await expectAccessible(page, "a wrong code while setting up");

  await second.getByLabel("Code from your app").fill(await appCode(key));
  await second.getByRole("button", { name: "Turn on" }).click();
  await expect(second.getByRole("list", { name: "Recovery codes" })).toBeVisible();
  await expectAccessible(page, "new recovery codes");
  await page.reload();
  await expect(second.getByRole("button", { name: "Turn off" })).toBeVisible();
  await expectAccessible(page, "the second step turned on");

  const other = await open(null, { ...calm, expects: /status of 40\d/ });
  await give(other, member);
  await expect(other.getByRole("heading", { name: "One more step" })).toBeVisible();
  await other.getByRole("textbox", { name: /code/i }).fill("000000");
  await other.getByRole("main").getByRole("button", { name: "Sign In" }).click();
  await expect(other.getByText("This code is wrong")).toBeVisible();
  await expectAccessible(other, "a wrong code at sign-in");
  await other.getByRole("link", { name: "Use a recovery code" }).click();
  await expect(other.getByLabel("Recovery code")).toBeVisible();
  await expectAccessible(other, "a recovery code at sign-in");
});

test("axe finds nothing on the email, the hidden people, the notifications and the calls, in either theme", async ({
  open,
  postcard,
}) => {
  const ana = await addMember(postcard, { firstName: "Ana", secondName: "Accessible" });
  const bob = await addMember(postcard, { firstName: "Bob", secondName: "Doer" });
  const rude = await addMember(postcard, { firstName: "Rude", secondName: "Person" });
  const loud = await addMember(postcard, { firstName: "Loud", secondName: "Person" });
  const path = await post(postcard, ana, { caption: "A few words." });
  await follow(postcard, bob, ana);
  await comment(postcard, bob, path, `Well said, @${ana.username}!`);
  for (const call of [`mutes/${loud.id}`, `blocks/${rude.id}`]) {
    const answer = await fetch(`${postcard}/api/${call}`, {
      method: "PUT",
      headers: { Origin: postcard, cookie: ana.cookie },
    });
    expect(answer.status, call).toBe(200);
  }
  const page = await open(ana, { ...calm, expects: /status of 400/ });
  await page.goto("/notifications");
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(2);
  await expectAccessible(page, "notifications");
  await page.goto("/settings/blocked");
  await expect(page.getByRole("button", { name: "Unblock Rude Person" })).toBeVisible();
  await expectAccessible(page, "the blocked");
  await page.goto("/settings/blocked?tab=muted");
  await expect(page.getByRole("button", { name: "Unmute Loud Person" })).toBeVisible();
  await expectAccessible(page, "the muted");
  await page.goto("/settings/email");
  await page.getByRole("button", { name: "Change the email" }).click();
  await expect(page.getByText("required*")).toHaveCount(2);
  await expectAccessible(page, "an empty change of the email");

  const reader = await open(null, calm);
  await reader.goto("/api");
  await expect(reader.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(reader, "the page of the calls");
});
