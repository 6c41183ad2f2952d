import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { appCode } from "../server/test/authenticator-app.ts";
import { axeFinds } from "./support/axe.ts";
import { addMember, type Member } from "./support/members.ts";
import { desktop, expect, expectNoSidewaysScroll, test } from "./support/stories.ts";

const refusals = /status of 40\d/;

const address = "/settings/security?change=two-factor";
const section = (page: Page) => page.getByRole("dialog", { name: "Two-step sign-in" });

async function begin(page: Page, member: Member): Promise<string> {
  await section(page).getByLabel("Your password").fill(member.password);
  await section(page).getByRole("button", { name: "Set up" }).click();
  await expect(page.getByRole("img", { name: "QR code with the key" })).toBeVisible();
  return section(page)
    .getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/)
    .innerText();
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByRole("textbox", { name: /code/i }).fill(code);
  await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
}

/** Signs in with email and password, up to the page that asks for the code. */
async function passwordGiven(page: Page, member: Member): Promise<void> {
  await page.goto("/signIn?returnTo=/saved");
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page).toHaveURL("/signIn/code?returnTo=%2Fsaved");
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
}

test("a member sets a second step up, and sign-ins ask for it: a code of the app, or a recovery code once", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Totta", secondName: "Twofold" });
  const page = await open(member, { expects: refusals, viewport: desktop });
  await page.goto(address);
  const key = await begin(page, member);
  expect(await axeFinds(page)).toEqual([]);
  const code = section(page).getByLabel("Code from your app");
  await code.fill("000000");
  await section(page).getByRole("button", { name: "Turn on" }).click();
  await expect(section(page).getByText("This code is wrong")).toBeVisible();
  await code.fill(await appCode(key));
  await section(page).getByRole("button", { name: "Turn on" }).click();
  const listed = section(page).getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(listed).toHaveCount(10);
  await expect(section(page).getByText(/^On since .*10 recovery codes are left/)).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  const recoveryCodes = await listed.allInnerTexts();
  const download = page.waitForEvent("download");
  await section(page).getByRole("button", { name: "Download" }).click();
  const file = await (await download).path();
  for (const one of recoveryCodes) expect(await readFile(file, "utf8")).toContain(one);
  await section(page).getByRole("button", { name: "I've saved them" }).click();
  await expect(listed).toHaveCount(0);
  await page.reload();
  await expect(listed).toHaveCount(0);

  const phone = await open(null, { expects: refusals });
  await passwordGiven(phone, member);
  expect(await axeFinds(phone)).toEqual([]);
  await expectNoSidewaysScroll(phone);
  await enterCode(phone, "");
  await expect(phone.getByText("required*")).toBeVisible();
  await enterCode(phone, "000000");
  await expect(phone.getByText("This code is wrong")).toBeVisible();
  await enterCode(phone, await appCode(key, 1));
  await expect(phone.getByRole("dialog", { name: "Success" })).toContainText(
    "Signed In Successfully",
  );
  await phone.keyboard.press("Escape");
  await expect(phone).toHaveURL("/saved");

  const [recovery = ""] = recoveryCodes;
  for (const answer of ["Signed In Successfully", "This code is wrong"]) {
    const other = await open(null, { expects: refusals });
    await passwordGiven(other, member);
    await other.getByRole("link", { name: "Use a recovery code" }).click();
    await expect(other.getByLabel("Recovery code")).toBeFocused();
    await enterCode(other, recovery.toLowerCase());
    await expect(other.getByText(answer)).toBeVisible();
  }

  await page.goto(address);
  await expect(section(page).getByText("9 recovery codes are left")).toBeVisible();
  await section(page).getByRole("button", { name: "Turn off" }).click();
  await expect(section(page).getByRole("button", { name: "Set up" })).toBeVisible();
});

test("without scripts the second step is set up, asked for and turned off by forms alone", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Tilda", secondName: "Textonly" });
  const plain = { javaScriptEnabled: false, expects: refusals };
  const page = await open(member, plain);
  await page.goto(address);
  const key = await begin(page, member);
  for (const code of ["000000", await appCode(key)]) {
    await expect(section(page).getByText(key)).toBeVisible();
    await section(page).getByLabel("Code from your app").fill(code);
    await section(page).getByRole("button", { name: "Turn on" }).click();
  }
  await expect(section(page).getByRole("list", { name: "Recovery codes" })).toBeVisible();

  const other = await open(null, plain);
  await passwordGiven(other, member);
  await enterCode(other, "000000");
  await expect(other.getByText("This code is wrong")).toBeVisible();
  await enterCode(other, await appCode(key, 1));
  await expect(other.getByRole("dialog")).toContainText("Signed In Successfully");
  await other.getByRole("link", { name: "OK" }).click();
  await expect(other).toHaveURL("/saved");

  await page.goto(address);
  await section(page).getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByRole("status")).toHaveText("Two-step sign-in is off.");
});

test("the page for the code leads to the sign-in when no sign-in waits for one", async ({
  open,
}) => {
  const page = await open(null);
  await page.goto("/signIn/code?returnTo=/saved");
  await page.getByRole("main").getByRole("link", { name: "Sign In" }).click();
  await expect(page).toHaveURL("/signIn?returnTo=%2Fsaved");
});
