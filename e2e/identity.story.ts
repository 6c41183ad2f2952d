import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { addMember } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, test } from "./support/stories.ts";

/** Browsers log every unsuccessful answer. */
const refusals = /Failed to load resource.*(?:40\d|422)/;
const broken = { name: "broken.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") };

const password = (page: Page) => page.getByLabel("Password", { exact: true });
const submit = (page: Page, name: string) =>
  page.getByRole("main").getByRole("button", { name, exact: true }).click();

test("the sign-up form says what is missing, takes a picture and leads where one was going", async ({
  open,
}) => {
  const page = await open(null, { expects: refusals });
  await page.goto("/saved");
  await page.getByRole("main").getByRole("link", { name: "Sign In" }).click();
  await page.getByRole("main").getByRole("link", { name: "Create your account" }).click();
  await expect(page).toHaveURL("/signUp?returnTo=%2Fsaved");

  await submit(page, "Sign Up");
  await expect(page.getByText("required*")).toHaveCount(3);
  await expect(page.getByText("Please select a profile image")).toBeVisible();
  await page.getByLabel("Email").fill(`${randomUUID()}@example.org`);
  await password(page).fill("seven77");
  await expect(page.getByText("required*")).toHaveCount(1);
  await expect(page.getByText("Use at least 8 characters.")).toBeVisible();
  await password(page).fill("a stamp for every letter");

  await page.getByLabel("Click to upload").setInputFiles(broken);
  await submit(page, "Sign Up");
  await expect(page.getByText("We can't use this file")).toBeVisible();
  await page.locator("input[type=file]").setInputFiles(await plainPhoto("#3d6b8c"));
  await expect(page.getByAltText("You, as others will see you")).toBeVisible();
  await submit(page, "Sign Up");

  const dialog = page.getByRole("dialog", { name: "Success" });
  await expect(dialog).toContainText("Account created Successfully");
  await dialog.getByRole("button", { name: "OK" }).click();
  await expect(page).toHaveURL("/saved");
  await expect(page.getByRole("heading", { name: "Saved" })).toBeVisible();
  await page.goto("/signUp");
  await expect(page).toHaveURL("/");
});

test("an email in use is reported in a dialog, and what was typed is kept", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Edda", secondName: "Erst" });
  const page = await open(null, { expects: refusals });
  await page.goto("/signUp");
  await page.getByLabel("First name").fill("Edda");
  await page.getByLabel("Email").fill(member.email.toUpperCase());
  await password(page).fill("a stamp for every letter");
  await page.getByLabel("Click to upload").setInputFiles(await plainPhoto("#704030"));
  await submit(page, "Sign Up");
  const dialog = page.getByRole("dialog", { name: "Error" });
  await expect(dialog).toContainText("Email Already in use");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel("Email")).toHaveValue(member.email.toUpperCase());
  await expect(password(page)).toHaveValue("a stamp for every letter");
});

test("a wrong password is told in a passing toast; the right one never leads to another site", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Ida", secondName: "Irrtum" });
  const page = await open(null, { expects: refusals });
  await page.goto("/SignIn?returnTo=//elsewhere.example");
  await page.getByLabel("Email").fill(member.email);
  await password(page).fill("not this one");
  await password(page).press("Enter");
  const toast = page.getByRole("region", { name: "Messages" }).getByText("Wrong password or email");
  await expect(toast).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(member.email);
  await expect(toast).toBeHidden();
  await password(page).fill(member.password);
  await password(page).press("Enter");
  await expect(page.getByRole("dialog")).toContainText("Signed In Successfully");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/");
});

test("when the server or the network is away, forms of identity keep what was typed and chosen", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Away", secondName: "Today" });
  const page = await open(null, { expects: /status of 500|ERR_INTERNET_DISCONNECTED/ });
  const toasts = page.getByRole("region", { name: "Messages" });
  const fail = async (name: string) => {
    await page.route("**/sign*.data*", (route) => route.fulfill({ status: 500, body: "oops" }));
    await submit(page, name);
    await expect(toasts.getByText("Something went wrong on our side.")).toBeVisible();
    await page.unrouteAll();
    await page.context().setOffline(true);
    await submit(page, name);
    await expect(toasts.getByText("We couldn't reach Postcard.")).toBeVisible();
    await page.context().setOffline(false);
  };
  await page.goto("/signUp");
  const email = `${randomUUID()}@example.org`;
  await page.getByLabel("Click to upload").setInputFiles(await plainPhoto("#20506a"));
  await page.getByLabel("First name").fill("Ana");
  await page.getByLabel("Email").fill(email);
  await password(page).fill("a stamp for every letter");
  await fail("Sign Up");
  await expect(page.getByLabel("First name")).toHaveValue("Ana");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(password(page)).toHaveValue("a stamp for every letter");
  await expect(page.getByAltText("You, as others will see you")).toBeVisible();

  await page.goto("/signIn");
  await page.getByLabel("Email").fill(member.email);
  await password(page).fill(member.password);
  await fail("Sign In");
  await expect(page.getByLabel("Email")).toHaveValue(member.email);
  await submit(page, "Sign In");
  await expect(page.getByText("Signed In Successfully")).toBeVisible();
});

test("after signing out every tab is a visitor's", async ({ open, postcard }) => {
  const member = await addMember(postcard, { firstName: "Zoe", secondName: "Ziel" });
  const page = await open(member, { viewport: desktop, expects: refusals });
  const other = await page.context().newPage();
  await other.goto("/profile");
  await page.goto("/settings");
  await page.getByRole("button", { name: "Sign Out" }).click();
  const dialog = page.getByRole("dialog", { name: "Success" });
  await expect(dialog).toContainText("Signed Out Successfully");
  await expect(dialog.getByRole("button", { name: "OK" })).toBeFocused();
  await page.keyboard.press("Escape");
  for (const tab of [page, other]) {
    await expect(tab).toHaveURL("/");
    await expect(tab.getByText("Please Sign In To Access This section")).toBeVisible();
  }
});

test("the theme is kept for visitors and stands in the first byte", async ({ open }) => {
  const page = await open(null);
  await page.goto("/settings");
  await page.getByRole("checkbox", { name: "Dark theme" }).check();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "synthwave");
  await expect
    .poll(async () => (await page.request.get("/search")).text())
    .toContain('data-theme="synthwave"');
  await page.reload();
  await page.getByRole("checkbox", { name: "Dark theme" }).uncheck();
  await expect
    .poll(async () => (await page.request.get("/search")).text())
    .toContain('data-theme="light"');
  await page.goto("/search");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");

  // Another page is loaded before the server has answered.
  await page.goto("/settings");
  const asked = Promise.withResolvers<void>();
  await page.route("**/settings.data**", () => asked.resolve());
  await page.getByRole("checkbox", { name: "Dark theme" }).check();
  await asked.promise;
  await page.goto("/search");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "synthwave");
});

test("without scripts one signs up, changes the theme and signs out", async ({ open }) => {
  const page = await open(null, { javaScriptEnabled: false, expects: refusals });
  const email = `${randomUUID()}@example.org`;
  await page.goto("/signUp?returnTo=/saved?tab=texts");
  await page.getByLabel("Email").fill(email);
  await submit(page, "Sign Up");
  await expect(page.getByText("required*")).toHaveCount(1);
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await password(page).fill("a stamp for every letter");
  await submit(page, "Sign Up");
  await expect(page.getByText("Please select a profile image")).toBeVisible();
  await password(page).fill("a stamp for every letter");
  await page.getByLabel("Click to upload").setInputFiles(await plainPhoto("#506a3a"));
  await expect(page.getByText("Picture chosen")).toBeVisible();
  await submit(page, "Sign Up");
  await expect(page.getByRole("dialog")).toContainText("Account created Successfully");
  await page.getByRole("link", { name: "OK" }).click();
  await expect(page).toHaveURL("/saved?tab=texts");

  await page.goto("/settings");
  await page.getByRole("checkbox", { name: "Dark theme" }).check();
  await page.getByRole("button", { name: "Use this theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "synthwave");
  await page.getByRole("button", { name: "Your menu" }).click();
  await page.locator("#account-menu").getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByRole("dialog")).toContainText("Signed Out Successfully");
  await page.getByRole("link", { name: "OK" }).click();
  await expect(page.getByText("Please Sign In To Access This section")).toBeVisible();
});
