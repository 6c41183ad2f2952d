import { apiPath, comment } from "./support/acts.ts";
import { addMember, post } from "./support/members.ts";
import { expect, expectAnswered, test } from "./support/stories.ts";

test("its author deletes a post after being asked; with it go comments and everybody's bookmarks", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Rue", secondName: "Gret" });
  const reader = await addMember(postcard, { firstName: "Book", secondName: "Mark" });
  const path = await post(postcard, writer, { caption: "I take it back." });
  await comment(postcard, reader, path, "Never forget");
  const other = await open(reader, { expects: /status of (403|404)/ });
  await other.goto(path);
  await expect(other.getByRole("button", { name: "Delete", exact: true })).toHaveCount(0);
  await other.getByRole("button", { name: "Save", exact: true }).click();
  await expect(other.getByRole("button", { name: "UnSave" })).toBeVisible();
  await expectAnswered(other);
  // Nobody else can, in any way.
  expect((await other.goto(`${path}/delete`))?.status()).toBe(404);
  const byCall = await other.request.delete(apiPath(path), { headers: { Origin: postcard } });
  expect(byCall.status()).toBe(403);

  const page = await open(writer, { expects: /status of (404|500)/ });
  await page.goto(path);
  const remove = page.getByRole("button", { name: "Delete", exact: true });
  const dialog = page.getByRole("dialog");
  await remove.click();
  await expect(dialog).toContainText("Delete this post?");
  await expect(dialog).toContainText("Its likes and comments will be deleted too");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  await remove.click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("I take it back.")).toBeVisible();

  await page.route(`**${apiPath(path)}`, (route) => route.fulfill({ status: 500, body: "oops" }));
  await remove.click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Couldn't delete your post.")).toBeVisible();
  await expect(page).toHaveURL(path);
  await page.unroute(`**${apiPath(path)}`);

  await remove.click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL("/profile");
  await expect(page.getByText("0 posts")).toBeVisible();
  expect((await other.goto(path))?.status()).toBe(404);
  await other.goto("/saved?tab=texts");
  await expect(other.getByText("Nothing saved yet")).toBeVisible();

  // The number is never used again.
  const next = await post(postcard, writer, { caption: "Better so." });
  expect(path).toMatch(/\/1$/);
  expect(next).toMatch(/\/2$/);
  await page.goto(next);
  await expect(page.getByText("No comments yet")).toBeVisible();
  expect((await page.goto(path))?.status()).toBe(404);
});

test("without scripts Delete leads to a page that asks", async ({ open, postcard }) => {
  const writer = await addMember(postcard, { firstName: "Plain", secondName: "Regret" });
  const path = await post(postcard, writer, { caption: "Going." });
  const page = await open(writer, { javaScriptEnabled: false, expects: /status of 404/ });
  await page.goto(path);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Delete this post?" })).toBeVisible();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL(path);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Delete this post?" })).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL("/profile");
  expect((await page.goto(path))?.status()).toBe(404);

  const visitor = await open(null, { javaScriptEnabled: false, expects: /status of 401/ });
  const another = await post(postcard, writer, { caption: "Staying." });
  expect((await visitor.goto(`${another}/delete`))?.status()).toBe(401);
});
