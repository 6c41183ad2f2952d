import { addMember, post } from "./support/members.ts";
import { expect, test } from "./support/stories.ts";

test("a member asks for the deletion of the account, comes back in time and keeps it", async ({
  open,
  postcard,
}) => {
  const stamp = Date.now() % 1_000_000;
  const member = await addMember(postcard, { firstName: "Leo", secondName: `Leaver${stamp}` });
  const path = await post(postcard, member, { caption: "Still here tomorrow." });
  const page = await open(member, { expects: /status of (400|401|403|404)/ });
  await page.goto("/settings");
  await page.getByRole("link", { name: "Delete account" }).click();
  await expect(page.getByRole("heading", { name: "Delete account" })).toBeVisible();

  const button = page.getByRole("button", { name: "Delete my account" });
  await button.click();
  await expect(page.getByText("required*")).toHaveCount(2);
  await page.getByLabel("Type your username").fill("somebody");
  await expect(page.getByText(`Type ${member.username} to confirm.`)).toBeVisible();
  await page.getByLabel("Type your username").fill(`@${member.username}`);
  await page.getByLabel("Your password").fill("not my password");
  await button.click();
  await expect(page.getByText("This isn't your current password.")).toBeVisible();
  await expect(page.getByLabel("Type your username")).toHaveValue(`@${member.username}`);

  await page.getByLabel("Your password").fill(member.password);
  await button.click();
  await expect(page).toHaveURL("/goodbye");
  await expect(page.getByText("It will be deleted for good in 7 days.")).toBeVisible();
  const visitor = await open(null, { expects: /status of 404/ });
  // Nobody else is told that an account of theirs is deleted.
  await visitor.goto("/goodbye");
  await expect(visitor).toHaveURL("/");
  expect((await visitor.goto(path))?.status()).toBe(404);

  await page.getByRole("link", { name: "Sign In" }).last().click();
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.locator("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page).toHaveURL("/keepAccount");
  await expect(
    page.getByText(/your account is scheduled for deletion on \d{1,2} \w+ \d{4}/),
  ).toBeVisible();
  // every page leads here until the member decides
  await page.goto("/search");
  await expect(page).toHaveURL("/keepAccount");
  await page.getByRole("button", { name: "Keep my account" }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/profile");
  await expect(page.getByRole("heading", { name: member.name })).toBeVisible();
  expect((await visitor.goto(path))?.status()).toBe(200);
});

test("without scripts an account can be deleted and kept, too", async ({ open, postcard }) => {
  const member = await addMember(postcard, { firstName: "Nora", secondName: "Noscript" });
  const page = await open(member, { javaScriptEnabled: false, expects: /status of (400|401|403)/ });
  await page.goto("/settings/delete");
  await page.getByLabel("Type your username").fill("wrong_name");
  await page.getByLabel("Your password").fill(member.password);
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page.getByText(`Type ${member.username} to confirm.`)).toBeVisible();
  await expect(page.getByLabel("Type your username")).toHaveValue("wrong_name");
  await page.getByLabel("Type your username").fill(member.username);
  await page.getByLabel("Your password").fill(member.password);
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page).toHaveURL("/goodbye");

  await page.goto("/signIn");
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.locator("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page).toHaveURL("/keepAccount");
  await page.getByRole("button", { name: "Sign out and let it be deleted" }).click();
  await expect(page.getByText("Signed Out Successfully")).toBeVisible();
  await page.goto("/keepAccount");
  await expect(page).toHaveURL("/");
  await page.goto("/signIn");
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.locator("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await page.getByRole("button", { name: "Keep my account" }).click();
  await page.goto("/settings/delete");
  await expect(page.getByRole("heading", { name: "Delete account" })).toBeVisible();
});
