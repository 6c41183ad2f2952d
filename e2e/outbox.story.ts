import { signInHere } from "./support/acts.ts";
import { axeFinds } from "./support/axe.ts";
import { withOutbox as test } from "./support/mail.ts";
import { addMember } from "./support/members.ts";
import { desktop, expect, expectNoSidewaysScroll } from "./support/stories.ts";

const asked = "we've made a link for it. This Postcard doesn't send email";
const newPassword = "a stamp for every letter";
const gone = /status of 4(?:00|10)/;

test("a member who forgot the password asks in a dialog, reads the email and chooses a new one", async ({
  open,
  postcard,
  mail,
}) => {
  const member = await addMember(postcard, { firstName: "Vera", secondName: "Gessen" });
  const signedIn = await open(member, { expects: /status of 401/ });
  await signedIn.goto("/profile");

  const page = await open(null, { expects: gone });
  await page.goto("/signIn");
  await expect(page.getByRole("link", { name: "Email me a link" })).toHaveCount(0);
  await page.getByLabel("Email").fill("vera");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  const dialog = page.getByRole("dialog", { name: "Forgot password?" });
  await expect(dialog.getByLabel("Email")).toHaveValue("vera");
  await expect(dialog).toContainText("This Postcard doesn't send email");
  await dialog.getByRole("button", { name: "Ask for a link" }).click();
  await expect(dialog.getByText("Invalid email address")).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await dialog.getByLabel("Email").fill(member.email);
  await dialog.getByRole("button", { name: "Ask for a link" }).click();
  const success = page.getByRole("dialog", { name: "Success" });
  await expect(success).toContainText(asked);
  await success.getByRole("button", { name: "OK" }).click();
  await expect(page).toHaveURL("/signIn");

  const link = await mail.to(member.email, "Choose a new password");
  expect(link.startsWith(`${postcard}/signIn/reset/`)).toBe(true);
  await page.goto(link);
  await expect(page.getByText("not a common password")).toBeVisible();
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expect(page.getByText("Use at least 8 characters.")).toBeVisible();
  await page.getByLabel("New password").fill("password123");
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expect(page.getByText("This password is too common")).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByLabel("New password").fill(newPassword);
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expect(page.getByRole("heading", { name: "Your new password is set" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Sign In" }).click();
  await signInHere(page, { ...member, password: newPassword });
  await expect(page).toHaveURL("/");

  await signedIn.goto("/profile");
  await expect(signedIn.getByText("Please Sign In To Access This section")).toBeVisible();
  await page.goto(link);
  await expect(page.getByText("This link was already used")).toBeVisible();
  await expect(page.getByRole("link", { name: "Ask for a new link" })).toBeVisible();
});

test("without scripts the same works with plain pages, for known and unknown addresses alike", async ({
  open,
  postcard,
  mail,
}) => {
  const member = await addMember(postcard, { firstName: "Noa", secondName: "Script" });
  const page = await open(null, { javaScriptEnabled: false, viewport: desktop, expects: gone });
  const ask = async (email: string) => {
    await page.goto("/signIn");
    await page.getByRole("link", { name: "Forgot password?" }).click();
    await page.getByLabel("Email").fill(email);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === "POST"),
      page.getByRole("button", { name: "Ask for a link" }).click(),
    ]);
    return `${answer.status()} ${await page.getByRole("main").innerText()}`;
  };
  expect(await ask("no email")).toContain("Invalid email address");
  await expect(page.getByLabel("Email")).toHaveValue("no email");
  const forStranger = await ask("nobody-here@example.org");
  expect(await ask(member.email)).toBe(forStranger);
  expect(forStranger).toContain(asked);
  await page.goto(await mail.to(member.email, "Choose a new password"));
  await expectNoSidewaysScroll(page);
  await page.getByLabel("New password").fill(newPassword);
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expect(page.getByRole("heading", { name: "Your new password is set" })).toBeVisible();
});

test("on a server without outgoing mail, Settings says that the operator has the email", async ({
  open,
  postcard,
  mail,
}) => {
  const member = await addMember(postcard, { firstName: "Olga", secondName: "Post" });
  const page = await open(member);
  await page.goto("/settings/email");
  await expect(page.getByText("Confirm your email")).toHaveCount(0);
  await expect(page.getByText("Not confirmed yet")).toBeVisible();
  await page.getByRole("button", { name: "Ask for a link" }).click();
  await expect(page.getByRole("status").getByText(/ask the person who runs it/)).toBeVisible();
  await page.goto(await mail.to(member.email, "Confirm your email address"));
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("heading", { name: "Your email is confirmed" })).toBeVisible();
});
