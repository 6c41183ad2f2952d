import { addMember, post } from "./support/members.ts";
import { desktop, expect, test } from "./support/stories.ts";

test("a visitor finds the theme in Settings and nothing else", async ({ open }) => {
  const page = await open(null);
  await page.goto("/settings");
  await expect(page.getByLabel("Dark theme")).toBeVisible();
  await expect(page.locator("main input")).toHaveCount(1);
});

test("on a desktop the list of settings keeps its lines, whichever page is open", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Lena", secondName: "Lines" });
  const page = await open(member, { viewport: desktop });
  const names = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  await page.goto("/settings");
  const count = await names.count();
  const tops = () =>
    names.evaluateAll((all) => all.map((name) => name.getBoundingClientRect().top));
  const before = await tops();
  expect(before.length).toBeGreaterThan(5);
  for (let at = 0; at < count; at += 1) {
    await names.nth(at).click();
    await expect(names.nth(at)).toHaveAttribute("aria-current", "page");
    expect(await tops()).toEqual(before);
  }
});

test("a member takes another username; the former leads to the same posts; 30 days pass first", async ({
  open,
  postcard,
}) => {
  const stamp = Date.now() % 1_000_000;
  const owner = await addMember(postcard, { firstName: "Taken", secondName: `Name${stamp}` });
  const member = await addMember(postcard, { firstName: "Uma", secondName: `Usher${stamp}` });
  const path = await post(postcard, member, { caption: "Found under both names." });
  const page = await open(member, { expects: /status of (400|409)/ });
  await page.goto("/settings");
  await page.getByRole("link", { name: "Change Username" }).click();
  const field = page.getByRole("textbox", { name: "Username" });
  const change = page.getByRole("button", { name: "Change username" });

  for (const [typed, sentence] of [
    ["", "required*"],
    ["no", "Use at least 3 characters."],
    ["no spaces", "Use only the letters a to z, digits and _."],
    ["upload", "This word is reserved."],
  ] as const) {
    await field.fill(typed);
    await change.click();
    await expect(page.getByText(sentence)).toBeVisible();
  }
  await field.fill(owner.username);
  await change.click();
  await page.getByRole("button", { name: "Change it" }).click();
  await expect(page.getByText("This username is taken or was used before.")).toBeVisible();
  await expect(field).toHaveValue(owner.username);

  const wanted = `uma_writes_${stamp}`;
  await field.fill(wanted);
  await change.click();
  await page.getByRole("button", { name: "Change it" }).click();
  await expect(page.getByText(`You're @${wanted} now.`)).toBeVisible();
  await expect(page.getByText(/You can change it again on \d{1,2} \w+ \d{4}\./)).toBeVisible();
  await expect(change).toHaveCount(0);

  const visitor = await open(null);
  for (const address of [path, path.replace(member.username, wanted)]) {
    await visitor.goto(address);
    await expect(visitor.getByText("Found under both names.")).toBeVisible();
  }
});

test("the privacy switches are saved at once, and switch back with a sentence when that fails", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Pia", secondName: "Private" });
  const page = await open(member, { expects: /status of 500/ });
  const visitor = await open(null);
  const profile = `/search/${member.id}`;
  await visitor.goto(profile);
  await expect(visitor.getByText(member.email)).toHaveCount(0);

  await page.goto("/settings");
  await expect(page.getByText(member.email)).toBeVisible();
  const show = page.getByLabel("Show my email");
  const find = page.getByLabel("Let people find me by my email");
  await expect(show).not.toBeChecked();
  await expect(find).toBeChecked();

  const saved = page.waitForResponse("**/calls/settings");
  await show.check();
  expect((await saved).status()).toBe(204);
  await page.reload();
  await expect(show).toBeChecked();
  await visitor.goto(profile);
  await expect(visitor.getByRole("link", { name: member.email })).toHaveAttribute(
    "href",
    `mailto:${member.email}`,
  );

  await page.route("**/calls/settings", (route) => route.fulfill({ status: 500, body: "" }));
  await find.click();
  await expect(page.getByText("“Let people find me by my email” is still on.")).toBeVisible();
  await expect(find).toBeChecked();
});

test("without scripts username and switches are saved by their buttons", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Nils", secondName: "Noscript" });
  const page = await open(member, { javaScriptEnabled: false, expects: /status of 400/ });
  await page.goto("/settings");
  await page.getByLabel("Show my email").check();
  await page.getByLabel("Let people find me by my email").uncheck();
  const privacy = page.locator("form", { has: page.getByLabel("Show my email") });
  await privacy.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("Show my email")).toBeChecked();
  await expect(page.getByLabel("Let people find me by my email")).not.toBeChecked();

  await page.getByRole("link", { name: "Change Username" }).click();
  await page.getByRole("textbox", { name: "Username" }).fill("no spaces");
  await page.getByRole("button", { name: "Change username" }).click();
  await expect(page.getByText("Use only the letters a to z, digits and _.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Username" })).toHaveValue("no spaces");
  const wanted = `nils_${Date.now() % 1_000_000}`;
  await page.getByRole("textbox", { name: "Username" }).fill(wanted);
  await page.getByRole("button", { name: "Change username" }).click();
  await expect(page.getByText(/You can change it again on/)).toBeVisible();
  await expect(page.getByText(`@${wanted}`, { exact: true })).toBeVisible();
});
