import { comment } from "./support/acts.ts";
import { axeFinds } from "./support/axe.ts";
import { addMember, follow, post, type Member } from "./support/members.ts";
import { desktop, expect, test } from "./support/stories.ts";

async function people(url: string): Promise<{ ana: Member; bob: Member }> {
  const ana = await addMember(url, { firstName: "Ana", secondName: "Abelard" });
  const bob = await addMember(url, { firstName: "Bob", secondName: "Brisket" });
  return { ana, bob };
}

test("a member blocks somebody from their profile, can't be found by them any more, and unblocks them in Settings", async ({
  open,
  postcard,
}) => {
  const { ana, bob } = await people(postcard);
  await follow(postcard, bob, ana);
  await post(postcard, ana, { caption: "Not for Bob." });
  const page = await open(ana, { viewport: desktop, expects: /status of 404/ });
  const other = await open(bob, { expects: /status of 404/ });
  await other.goto("/");
  await expect(other.getByText("Not for Bob.")).toBeVisible();

  await page.goto(`/block/${bob.id}`);
  expect(await axeFinds(page)).toEqual([]);
  await page.goto(`/search/${bob.id}`);
  const menu = page.getByRole("button", { name: "Mute, block or report Bob Brisket" });
  await menu.click();
  const dialog = page.getByRole("dialog", { name: "Bob Brisket" });
  await expect(dialog.getByLabel("Mute", { exact: true })).toBeChecked();
  expect(await axeFinds(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(menu).toBeFocused();
  await menu.click();
  await dialog.getByLabel("Block", { exact: true }).check();
  await expect(dialog.getByText("stay visible to anyone who is signed out")).toBeVisible();
  await dialog.getByRole("button", { name: "Block" }).click();
  await expect(page.getByText("You blocked Bob Brisket.")).toBeVisible();
  await expect(page).toHaveURL(/\/$/);

  for (const path of [`/search/${ana.id}`, `/post/${ana.username}/1`]) {
    expect((await other.goto(path))?.status(), path).toBe(404);
  }
  await other.goto("/");
  await expect(other.getByText("Not for Bob.")).toHaveCount(0);
  expect((await page.goto(`/search/${bob.id}`))?.status()).toBe(404);

  await page.goto("/settings");
  await page.getByRole("link", { name: "Blocked and muted" }).click();
  await page.getByRole("button", { name: "Unblock Bob Brisket" }).click();
  await expect(page.getByRole("button", { name: "Block Bob Brisket" })).toBeVisible();
  await expect.poll(async () => (await other.goto(`/search/${ana.id}`))?.status()).toBe(200);
  await expect(other.getByRole("button", { name: "Follow", exact: true })).toBeVisible();
});

test("a mute takes somebody's posts out of the feed at once, and brings them back when it fails", async ({
  open,
  postcard,
}) => {
  const { ana, bob } = await people(postcard);
  await follow(postcard, ana, bob);
  await post(postcard, bob, { caption: "Loud words." });
  const page = await open(ana, { expects: /status of 500/ });
  await page.goto("/");
  const words = page.getByText("Loud words.");
  await expect(words).toBeVisible();

  await page.route("**/api/mutes/*", (route) => route.fulfill({ status: 500, body: "" }));
  const mute = async () => {
    await page.getByRole("button", { name: "Options for this post by Bob Brisket" }).click();
    await page.getByRole("link", { name: "Mute", exact: true }).click();
    const dialog = page.getByRole("dialog");
    const length = dialog.getByLabel("How long to mute");
    await dialog.getByLabel("Block", { exact: true }).check();
    await expect(length).toBeDisabled();
    await dialog.getByLabel("Mute", { exact: true }).check();
    await length.selectOption("For a day");
    await dialog.getByRole("button", { name: "Mute" }).click();
  };
  await mute();
  await expect(page.getByText("Nothing changed for Bob Brisket.")).toBeVisible();
  await expect(words).toBeVisible();

  await page.unroute("**/api/mutes/*");
  await mute();
  await expect(words).toHaveCount(0);
  await expect(page.getByText("You muted Bob Brisket.")).toBeVisible();
  await page.reload();
  await expect(words).toHaveCount(0);

  await page.goto(`/search/${bob.id}`);
  await expect(page.getByText("Muted by you")).toBeVisible();
  await expect(page.getByRole("button", { name: "Following" })).toBeVisible();
  await page.goto("/settings/blocked?tab=muted");
  await expect(page.getByText(/muted until \d/)).toBeVisible();
});

test("without scripts a comment's writer is blocked on a page that asks, and unblocked in Settings", async ({
  open,
  postcard,
}) => {
  const { ana, bob } = await people(postcard);
  const path = await post(postcard, ana, { caption: "Say something kind." });
  await comment(postcard, bob, path, "Something unkind.");
  const page = await open(ana, { javaScriptEnabled: false });
  await page.goto(path);
  await page.getByRole("button", { name: "Mute, block or report Bob Brisket" }).click();
  await expect(page.getByRole("heading", { name: "Bob Brisket" })).toBeVisible();
  await page.getByLabel("Block", { exact: true }).check();
  await page.getByRole("button", { name: "OK" }).click();
  await expect(page).toHaveURL(/\/settings\/blocked$/);
  await page.goto(path);
  await expect(page.getByText("Something unkind.")).toHaveCount(0);
  await page.goto("/settings/blocked");
  await page.getByRole("button", { name: "Unblock Bob Brisket" }).click();
  await expect(page.getByText("You haven't blocked anyone")).toBeVisible();
});

test("without scripts somebody is muted for a week, and Settings says until when", async ({
  open,
  postcard,
}) => {
  const { ana, bob } = await people(postcard);
  const page = await open(ana, { javaScriptEnabled: false });
  await page.goto(`/block/${bob.id}`);
  await page.getByLabel("How long to mute").selectOption("For a week");
  await page.getByRole("button", { name: "OK" }).click();
  await page.goto("/settings/blocked?tab=muted");
  await expect(page.getByText(/muted until \d/)).toBeVisible();
  await page.getByRole("button", { name: "Unmute Bob Brisket" }).click();
  await expect(page.getByText("You haven't muted anyone")).toBeVisible();
});
