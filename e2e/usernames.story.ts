import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { axeFinds } from "./support/axe.ts";
import { query } from "./support/installation.ts";
import { addMember } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expect, test } from "./support/stories.ts";

const refusals = /Failed to load resource.*(?:40\d|422)/;
const field = (page: Page) => page.getByLabel("Username (optional)");
const submit = (page: Page) =>
  page.getByRole("main").getByRole("button", { name: "Sign Up", exact: true }).click();

async function fillIn(page: Page, email = `${randomUUID()}@example.org`) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("a stamp for every letter");
  await page.locator('input[name="picture"]').setInputFiles(await plainPhoto("#3d6b8c"));
}

test("a username follows the name until one types one, and says whether it can be had", async ({
  open,
  postcard,
}) => {
  const taken = await addMember(postcard, { firstName: "Tom", secondName: "Taken" });
  const page = await open(null, { expects: refusals });
  await page.goto("/signUp");
  const word = `q${randomUUID().slice(0, 8)}`;
  await page.getByLabel("First name").pressSequentially("Þóra");
  await page.getByLabel("Second name").pressSequentially(word);
  await expect(field(page)).toHaveValue(`thora_${word}`);
  await expect(page.getByText("free", { exact: true })).toBeVisible();

  await field(page).fill("settings");
  await expect(page.getByText("not allowed", { exact: true })).toBeVisible();
  await expect(page.getByText("This word is reserved. Please choose another.")).toBeVisible();
  await field(page).fill(taken.username);
  await expect(page.getByText("taken", { exact: true })).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  // Typed once, it is the person's own.
  await page.getByLabel("First name").fill("Theodora");
  await fillIn(page);
  await submit(page);
  await expect(page.getByText("This username is taken or was used before.")).toBeVisible();
  await expect(field(page)).toHaveValue(taken.username);

  const own = `theo_${word}`;
  await field(page).fill(` @${own.toUpperCase()}`);
  await expect(page.getByText("free", { exact: true })).toBeVisible();
  await submit(page);
  await page.getByRole("button", { name: "OK" }).click();
  await page.goto("/profile");
  await expect(page.getByText(`@${own}`)).toBeVisible();
  await expect(page.getByText("Choose your own username")).toHaveCount(0);
});

test("without scripts a refused username comes back with all that was typed", async ({
  open,
  postcard,
}) => {
  const taken = await addMember(postcard, { firstName: "Tom", secondName: "Taken" });
  const page = await open(null, { javaScriptEnabled: false, expects: refusals });
  await page.goto("/signUp");
  await page.getByLabel("First name").fill("Nora");
  await field(page).fill(taken.username);
  const email = `${randomUUID()}@example.org`;
  await fillIn(page, email);
  await submit(page);
  await expect(page.getByText("This username is taken or was used before.")).toBeVisible();
  await expect(field(page)).toHaveValue(taken.username);
  await expect(page.getByLabel("First name")).toHaveValue("Nora");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await field(page).fill("");
  await fillIn(page, email);
  await submit(page);
  await expect(page.getByText("Account created Successfully")).toBeVisible();
});

for (const javaScriptEnabled of [true, false]) {
  test(`a username that nobody can read is offered to be changed, once, ${javaScriptEnabled ? "with" : "without"} scripts`, async ({
    open,
    postcard,
  }) => {
    const member = await addMember(postcard, { firstName: "نور الدين", secondName: "عبد الرحمن" });
    await query(postcard, "update accounts set username = $2 where id = $1", [
      member.id,
      `user_${member.id.replaceAll(/[^a-f2-9]/g, "").slice(-7)}`,
    ]);
    const page = await open(member, { javaScriptEnabled });
    await page.goto("/profile");
    const offer = page.getByRole("region", { name: "Choose your own username" });
    await expect(offer.getByRole("link", { name: "Choose one" })).toHaveAttribute(
      "href",
      "/settings?change=username",
    );
    if (javaScriptEnabled) expect(await axeFinds(page)).toEqual([]);
    await offer.getByRole("button", { name: "Keep it" }).click();
    await expect(offer).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(offer).toHaveCount(0);
  });
}
