import { createHmac, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { appCode } from "../server/test/authenticator-app.ts";
import { axeFinds } from "./support/axe.ts";
import { withMailbox as test } from "./support/mail.ts";
import { enter, signUp, type Member } from "./support/members.ts";
import { turnOnSecondStep } from "./support/second-step.ts";
import { desktop, expect, expectNoSidewaysScroll } from "./support/stories.ts";

const gone = /status of 4(?:00|01|03|04|10)/;

test("a newcomer confirms the address: asked quietly, and blocked from nothing", async ({
  open,
  postcard,
  mail,
}) => {
  const member = await signUp(postcard, { firstName: "Nele", secondName: "Neu" });
  await mail.to(member.email, "Confirm your email address");
  const page = await open(member);
  await page.goto("/");
  await expect(page.getByText("Please confirm your email: we sent you a link.")).toBeVisible();
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Send it again" }).click();
  await expect(
    page.getByRole("status").getByText(`We've sent an email to ${member.email}`),
  ).toBeVisible();

  const link = await mail.to(member.email, "Confirm your email address");
  // a mail server that opens every link confirms nothing
  for (let look = 0; look < 2; look += 1) {
    expect((await fetch(link)).status).toBe(200);
  }
  await page.goto(link);
  await expect(page.getByText("Please confirm your email: we sent you a link.")).toBeVisible();
  await expect(page.getByRole("main")).toContainText(`@${member.username}`);
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Your email is confirmed" })).toBeVisible();
  await expect(page.getByText("Please confirm your email: we sent you a link.")).toHaveCount(0);
  await page.goto("/settings/email");
  await expect(page.getByText("Confirmed", { exact: true })).toBeVisible();
});

test("a mailed link signs in with a button, once; looking at it signs nobody in", async ({
  open,
  postcard,
  mail,
}) => {
  const member = await signUp(postcard, { firstName: "Lina", secondName: "Link" });
  const page = await open(null, { viewport: desktop, expects: gone });
  await page.goto(await mail.to(member.email, "Confirm your email address"));
  await expect(page.getByText("You aren't signed in to this account here.")).toBeVisible();
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Your email is confirmed" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("listitem")).toHaveText(["A password"]);
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole("link", { name: "Remove them and choose a new password" }).click();
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();

  await page.goto("/signIn");
  await page.getByRole("link", { name: "Email me a link" }).click();
  await expect(page).toHaveURL("/signIn/link");
  await page.getByLabel("Email").fill(member.email);
  await page.getByRole("button", { name: "Send email" }).click();
  await expect(page.getByText("we've emailed it a link")).toBeVisible();
  const link = await mail.to(member.email, "Your link to sign in");
  const look = await fetch(link);
  expect([look.status, look.headers.getSetCookie()]).toEqual([200, []]);

  await page.goto(link);
  await expect(page.getByRole("main")).toContainText(`For the account @${member.username}`);
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
  await expect(other.getByText("This link was already used")).toBeVisible();
});

test("without scripts a mailed link signs in as well, asks for the second step, and leads on", async ({
  open,
  postcard,
  mail,
}) => {
  const member = await signUp(postcard, { firstName: "Paul", secondName: "Plain" });
  const page = await open(null, { javaScriptEnabled: false });
  await page.goto(await mail.to(member.email, "Confirm your email address"));
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Your email is confirmed" })).toBeVisible();
  const key = await turnOnSecondStep(postcard, member);
  await mail.to(member.email, "Two-step sign-in is on");
  await page.goto("/signIn?returnTo=/saved");
  await page.getByRole("link", { name: "Email me a link" }).click();
  await page.getByLabel("Email").fill(member.email);
  await page.getByRole("button", { name: "Send email" }).click();
  await page.goto(await mail.to(member.email, "Your link to sign in"));
  await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page).toHaveURL("/signIn/code?returnTo=%2Fsaved");
  await page.getByLabel("Code from your app").fill(await appCode(key, 1));
  await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await page.getByRole("link", { name: "OK" }).click();
  await expect(page).toHaveURL("/saved");
  await page.goto("/profile");
  await expect(page.getByRole("heading", { name: "Paul Plain" })).toBeVisible();
});

test("a member changes the address: with the password, by an email to it, as it was typed", async ({
  open,
  postcard,
  mail,
}) => {
  const member = await signUp(postcard, { firstName: "Mira", secondName: "Move" });
  const page = await open(null, { expects: gone });
  await page.goto(await mail.to(member.email, "Confirm your email address"));
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
  await expect(page.getByText("This isn't your current password.")).toBeVisible();
  await expect(page.getByLabel("New email")).toHaveValue(email);
  expect(await axeFinds(page)).toEqual([]);
  await page.getByLabel("Current password").fill(member.password);
  await page.getByRole("button", { name: "Change the email" }).click();
  await expect(page.getByRole("status").getByText(`We've sent an email to ${email}`)).toBeVisible();
  await expect(page.getByText(member.email, { exact: true })).toBeVisible();

  await page.goto(await mail.to(email, "Confirm your new email address"));
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Your email is confirmed" })).toBeVisible();
  await page.goto("/settings/email");
  await expect(page.getByText(email, { exact: true })).toBeVisible();
});

test("the owner of the former mailbox can keep the address, and take it back after the change", async ({
  open,
  postcard,
  mail,
}) => {
  const member = await signUp(postcard, { firstName: "Kora", secondName: "Keep" });
  const reader = await open(null, { javaScriptEnabled: false, expects: gone });
  await reader.goto(await mail.to(member.email, "Confirm your email address"));
  await reader.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(reader.getByRole("heading", { name: "Your email is confirmed" })).toBeVisible();

  const page = await open(member, { viewport: desktop, expects: gone });
  const askFor = async (email: string, asked: boolean) => {
    await page.goto("/settings/email");
    await page.getByLabel("New email").fill(email);
    // Asked once in ten minutes.
    const password = page.getByLabel("Current password");
    await expect(password).toHaveCount(asked ? 1 : 0);
    if (asked) await password.fill(member.password);
    await page.getByRole("button", { name: "Change the email" }).click();
    await expect(page.getByRole("region", { name: "Pending change" })).toContainText(email);
  };
  const email = `other.${randomUUID()}@example.net`;
  await askFor(email, true);
  await expectNoSidewaysScroll(page);
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole("button", { name: "Cancel the change" }).click();
  await expect(page.getByRole("status").getByText("The change is cancelled.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Pending change" })).toHaveCount(0);

  await askFor(email, false);
  const keep = await mail.to(member.email, "Your email address is about to change");
  await reader.goto(keep);
  await expect(reader.getByRole("main")).toContainText(`For the account @${member.username}`);
  await expect(reader.getByRole("button", { name: "Keep this address" })).toBeVisible();

  const confirm = await mail.to(email, "Confirm your new email address");
  const stranger = await open(null, { expects: gone });
  await stranger.goto(confirm);
  await stranger.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(stranger.getByText("required*")).toBeVisible();
  await stranger.getByLabel("Password", { exact: true }).fill("a guess");
  await stranger.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(stranger.getByText("This isn't your current password.")).toBeVisible();
  expect(await axeFinds(stranger)).toEqual([]);
  await stranger.getByLabel("Password", { exact: true }).fill(member.password);
  await stranger.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(stranger.getByRole("heading", { name: "Your email is confirmed" })).toBeVisible();

  await reader.goto(keep);
  await reader.getByRole("button", { name: "Restore this address" }).click();
  await expect(reader.getByRole("heading", { name: "Your email is restored" })).toBeVisible();
  await reader.goto(keep);
  await expect(reader.getByText("This link was already used")).toBeVisible();
  await page.goto("/profile");
  await expect(page.getByText("Please Sign In To Access This section")).toBeVisible();
});

test("a daily email's own address ends them: opening it does not, the button and a mail program do", async ({
  open,
  postcard,
  mailServer,
}) => {
  const { authSecret } = JSON.parse(
    await readFile(join(mailServer.dataDir, "secrets.json"), "utf8"),
  ) as {
    authSecret: string;
  };
  const stopAddress = ({ id }: Member) =>
    `/stopEmails/${id}.${createHmac("sha256", authSecret).update(`digest ${id}`).digest("base64url")}`;
  const [nora, otto] = [
    await signUp(postcard, { firstName: "Nora", secondName: "Nomail" }),
    await signUp(postcard, { firstName: "Otto", secondName: "Oneclick" }),
  ];
  const isOn = async (member: Member) => {
    const settings = await open(member);
    await settings.goto("/settings/notifications");
    const on = await settings.getByLabel("A daily email").isChecked();
    await settings.close();
    return on;
  };

  const page = await open(null, { expects: gone });
  await page.goto(stopAddress(nora));
  expect(await axeFinds(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
  expect(await isOn(nora)).toBe(true);
  await page.getByRole("button", { name: "Stop them" }).click();
  await expect(page.getByRole("heading", { name: "No more daily emails" })).toBeVisible();
  expect(await isOn(nora)).toBe(false);

  // RFC 8058: no cookie, no Origin, and this body
  const answer = await fetch(postcard + stopAddress(otto), {
    method: "POST",
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
  });
  expect(answer.status).toBe(200);
  expect(await isOn(otto)).toBe(false);

  await page.goto(`/stopEmails/${otto.id}.${"a".repeat(43)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("No one lives at this address");
});
