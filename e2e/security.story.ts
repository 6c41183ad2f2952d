import type { Page } from "@playwright/test";
import { axeFinds } from "./support/axe.ts";
import { addMember, signUp, type Member } from "./support/members.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

const newPassword = "a stamp for every letter";
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";

/** Signs in with the form, in a separate browser. */
async function signIn(page: Page, member: Member, password = member.password): Promise<void> {
  await page.goto("/signIn?returnTo=/settings/security");
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page.getByText("Signed In Successfully")).toBeVisible();
}

const rows = (page: Page) =>
  page.getByRole("dialog", { name: "Signed-in devices" }).getByRole("listitem");

test("a member sees where the account is signed in and ends the others, one and all", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Sessa", secondName: "Session" });
  const here = await open(member);
  const expects = /status of 401/;
  const mobile = await open(null, { userAgent: iphone, expects });
  const laptop = await open(null, { expects });
  for (const page of [mobile, laptop]) {
    await signIn(page, member);
    await page.getByRole("button", { name: "OK" }).click();
    await expect(page).toHaveURL("/settings/security");
  }
  await here.goto("/settings");
  await here.getByRole("link", { name: "Security", exact: true }).click();
  await here.getByRole("link", { name: "Manage Signed-in devices" }).click();
  await expect(rows(here)).toHaveCount(3);
  await expect(rows(here).first()).toContainText("This device");
  await expect(rows(here).filter({ hasText: "Safari on iPhone" })).toContainText(
    "Last used: Today",
  );

  await here.getByRole("button", { name: "Sign out Safari on iPhone" }).click();
  await expect(here.getByText("That device is signed out.")).toBeVisible();
  await expect(rows(here)).toHaveCount(2);
  expect((await mobile.goto("/settings/security"))?.status()).toBe(401);
  expect((await laptop.goto("/settings/security"))?.status()).toBe(200);

  await here.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(here.getByText("You're signed out everywhere else.")).toBeVisible();
  await expect(rows(here)).toHaveCount(1);
  await expect(here.getByRole("button", { name: "Sign out everywhere else" })).toHaveCount(0);
  expect((await laptop.goto("/settings/security"))?.status()).toBe(401);
  expect((await here.goto("/settings/security"))?.status()).toBe(200);
});

test("a change of password says its rules, keeps what was typed, and signs the others out", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Petra", secondName: "Password" });
  const page = await open(member, { expects: /status of 403/ });
  const other = await open(null, { expects: /status of 401/ });
  await signIn(other, member);
  await page.goto("/settings/security");
  await page.getByRole("link", { name: "Change Password" }).click();
  const [current, wanted] = [page.getByLabel("Current password"), page.getByLabel("New password")];
  const change = page.getByRole("button", { name: "Change password" });
  await expect(
    page.getByText("At least 8 characters, not a common password, and not your name or email."),
  ).toBeVisible();
  await change.click();
  await expect(page.getByText("required*")).toHaveCount(2);
  await wanted.fill("seven77");
  await expect(page.getByText("Use at least 8 characters.")).toBeVisible();
  await wanted.fill(newPassword);
  await current.fill("not my password");
  await change.click();
  await expect(page.getByText("This isn't your current password.")).toBeVisible();
  await expect(wanted).toHaveValue(newPassword);
  await current.fill(member.password);
  await change.click();
  await expect(page.getByText("Your password was changed.")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL("/settings/security");
  expect((await other.goto("/settings/security"))?.status()).toBe(401);
  await signIn(other, member, newPassword);
});

test("without scripts a password is changed and a session ended by their buttons", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Nora", secondName: "Noscript" });
  const page = await open(member, { javaScriptEnabled: false, expects: /status of 40\d/ });
  await signIn(await open(null, { userAgent: iphone }), member);
  await page.goto("/settings/security");
  await page.getByRole("link", { name: "Manage Signed-in devices" }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Sign out Safari on iPhone" }).click();
  await expect(page.getByRole("status")).toHaveText("That device is signed out.");
  await page.getByRole("link", { name: "Manage Signed-in devices" }).click();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("link", { name: "Close" }).click();
  await page.getByRole("link", { name: "Change Password" }).click();
  await page.getByLabel("Current password").fill("not my password");
  await page.getByLabel("New password").fill(newPassword);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("This isn't your current password.")).toBeVisible();
  await page.getByLabel("Current password").fill(member.password);
  await page.getByLabel("New password").fill(newPassword);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("status")).toContainText("Your password was changed.");
});

test("a visitor is asked to sign in before the security screen, in place", async ({ open }) => {
  const page = await open(null, { expects: /status of 401/ });
  expect((await page.goto("/settings/security"))?.status()).toBe(401);
  await expect(page.getByText("Please Sign In To Access This section")).toBeVisible();
  await page.goto("/settings");
  await expect(page.getByRole("link", { name: "Security" })).toHaveCount(0);
});

test("axe finds nothing on the security screen, in either theme, and nothing is cut at 390 px", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Ava", secondName: "Accessible" });
  await signIn(await open(null, { userAgent: `${iphone} ${"x".repeat(300)}` }), member);
  for (const theme of ["light", "synthwave"] as const) {
    for (const viewport of [phone, desktop]) {
      const page = await open(member, { theme, viewport, reducedMotion: "reduce" });
      await page.goto("/settings/security");
      expect(await axeFinds(page), theme).toEqual([]);
      await expectNoSidewaysScroll(page);
      await page.getByRole("link", { name: "Manage Signed-in devices" }).click();
      await expect(rows(page)).toHaveCount(2);
      expect(await axeFinds(page), theme).toEqual([]);
      await expectNoSidewaysScroll(page);
    }
  }
});

test("recent activity names sign-ins and changes, the newest first", async ({ open, postcard }) => {
  const member = await signUp(postcard, { firstName: "Rita", secondName: "Recent" });
  const other = await open(null, { userAgent: iphone, viewport: phone });
  await signIn(other, member);
  const page = await open(member, { javaScriptEnabled: false });
  await page.goto("/settings/security");
  await page.getByRole("link", { name: "Recent activity" }).click();
  const entries = page.getByRole("main").locator("ul").last().getByRole("listitem");
  await expect(entries.first()).toContainText("Signed in with the password");
  await expect(entries.first()).toContainText("Safari on iPhone");
  await expect(entries.last()).toContainText("Signed in for the first time");
  await expectNoSidewaysScroll(page);
});

test("a dialog of Security has an address: Back closes it, and the focus returns to its row", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Dia", secondName: "Log" });
  const page = await open(member, { viewport: desktop });
  await page.goto("/settings/security");
  const row = page.getByRole("link", { name: "Change Password" });
  await row.click();
  await expect(page.getByRole("dialog", { name: "Password" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await row.click();
  await expect(page.getByRole("dialog", { name: "Password" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL("/settings/security");
  await expect(row).toBeFocused();
});

test("the password is asked for once: the next change of the same session needs none", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Una", secondName: "Once" });
  const page = await open(member);
  await page.goto("/settings/security?change=two-factor");
  await page.getByLabel("Your password").fill(member.password);
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByRole("img", { name: "QR code with the key" })).toBeVisible();
  await page.goto("/settings/security?change=two-factor");
  await expect(page.getByLabel("Your password")).toHaveCount(0);
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByRole("img", { name: "QR code with the key" })).toBeVisible();
  await page.goto("/settings/email");
  await expect(page.getByLabel("Current password")).toHaveCount(0);
  await page.goto("/settings/delete");
  await expect(page.getByLabel("Your password")).toBeVisible();
});
