import { randomUUID } from "node:crypto";
import { axeFinds } from "./support/axe.ts";
import { withMailbox as test } from "./support/letters.ts";
import { enter, signUp } from "./support/members.ts";
import { desktop, expect, expectNoSidewaysScroll } from "./support/stories.ts";

const gone = /status of 4(?:00|01|03|10)/;

test("a newcomer confirms the address: asked quietly, kept from nothing", async ({
  open,
  postcard,
  letters,
}) => {
  const member = await signUp(postcard, { firstName: "Nele", secondName: "Neu" });
  await letters.to(member.email, "Confirm your email address");
  const page = await open(member);
  await page.goto("/");
  await expect(page.getByText("Confirm your email: we sent you a letter.")).toBeVisible();
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Send it again" }).click();
  await expect(
    page.getByRole("status").getByText(`A letter is on its way to ${member.email}`),
  ).toBeVisible();

  const link = await letters.to(member.email, "Confirm your email address");
  // a mail server that looks at every link confirms nothing
  for (let look = 0; look < 2; look += 1) {
    expect((await fetch(link)).status).toBe(200);
  }
  await page.goto(link);
  await expect(page.getByText("Confirm your email: we sent you a letter.")).toBeVisible();
  await expect(page.getByRole("main")).toContainText(`@${member.username}`);
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Your email is confirmed" })).toBeVisible();
  await expect(page.getByText("Confirm your email: we sent you a letter.")).toHaveCount(0);
  await page.goto("/settings/email");
  await expect(page.getByText("Confirmed", { exact: true })).toBeVisible();
});

test("a mailed link signs in with a button, once; looking at it signs nobody in", async ({
  open,
  postcard,
  letters,
}) => {
  const member = await signUp(postcard, { firstName: "Lina", secondName: "Link" });
  const page = await open(null, { viewport: desktop, expects: gone });
  await page.goto(await letters.to(member.email, "Confirm your email address"));
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Your email is confirmed" })).toBeVisible();

  await page.goto("/signIn");
  await page.getByRole("link", { name: "Email me a link" }).click();
  await expect(page).toHaveURL("/signIn/link");
  await page.getByLabel("Email").fill(member.email);
  await page.getByRole("button", { name: "Send the letter" }).click();
  await expect(page.getByText("a letter with a link is on its way")).toBeVisible();
  const link = await letters.to(member.email, "Your link to sign in");
  const look = await fetch(link);
  expect([look.status, look.headers.getSetCookie()]).toEqual([200, []]);

  await page.goto(link);
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Success" });
  await expect(dialog).toContainText("Signed In Successfully");
  await dialog.getByRole("button", { name: "OK" }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/profile");
  await expect(page.getByRole("heading", { name: "Lina Link" })).toBeVisible();

  const other = await open(null, { javaScriptEnabled: false, expects: gone });
  await other.goto(link);
  await expect(other.getByText("This link was used already")).toBeVisible();
});

test("without scripts a mailed link signs in as well", async ({ open, postcard, letters }) => {
  const member = await signUp(postcard, { firstName: "Paul", secondName: "Plain" });
  const page = await open(null, { javaScriptEnabled: false });
  await page.goto(await letters.to(member.email, "Confirm your email address"));
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Your email is confirmed" })).toBeVisible();
  await page.goto("/signIn/link");
  await page.getByLabel("Email").fill(member.email);
  await page.getByRole("button", { name: "Send the letter" }).click();
  await page.goto(await letters.to(member.email, "Your link to sign in"));
  await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await page.getByRole("link", { name: "OK" }).click();
  await page.goto("/profile");
  await expect(page.getByRole("heading", { name: "Paul Plain" })).toBeVisible();
});

test("a member moves to another address: with the password, by its letter, as it was typed", async ({
  open,
  postcard,
  letters,
}) => {
  const member = await signUp(postcard, { firstName: "Mira", secondName: "Move" });
  const page = await open(null, { expects: gone });
  await page.goto(await letters.to(member.email, "Confirm your email address"));
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Your email is confirmed" })).toBeVisible();
  await enter(page.context(), postcard, member);
  await page.goto("/settings/email");
  await page.getByRole("button", { name: "Change the email" }).click();
  await expect(page.getByText("required*")).toHaveCount(2);
  const email = `New.${randomUUID()}@example.org`;
  await page.getByLabel("New email").fill(email);
  await page.getByLabel("Current password").fill("not this one");
  await page.getByRole("button", { name: "Change the email" }).click();
  await expect(page.getByText("This is not your current password.")).toBeVisible();
  await expect(page.getByLabel("New email")).toHaveValue(email);
  expect(await axeFinds(page)).toEqual([]);
  await page.getByLabel("Current password").fill(member.password);
  await page.getByRole("button", { name: "Change the email" }).click();
  await expect(
    page.getByRole("status").getByText(`A letter is on its way to ${email}`),
  ).toBeVisible();
  await expect(page.getByText(member.email, { exact: true })).toBeVisible();

  await page.goto(await letters.to(email, "Confirm your new email address"));
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Your email is confirmed" })).toBeVisible();
  await page.goto("/settings/email");
  await expect(page.getByText(email, { exact: true })).toBeVisible();
});
