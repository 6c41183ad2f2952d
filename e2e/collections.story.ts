import type { Page } from "@playwright/test";
import { addMember, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });

test("a post is put into a collection from its menu, taken out there, and others from Saved", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Carla", secondName: "Cook" });
  const reader = await addMember(postcard, { firstName: "Sor", secondName: "Ter" });
  const photo = await plainPhoto("#a06080", 300, 300);
  const soup = await post(postcard, writer, { alt: "Soup", photo });
  await post(postcard, writer, { alt: "Bread", photo });
  const page = await open(reader, { viewport: desktop });
  await page.goto(soup);
  await page.getByRole("button", { name: "Options for this post by Carla Cook" }).click();
  await page.getByRole("link", { name: "Add to a collection" }).click();
  await expect(page.getByText("The post will be saved, too.")).toBeVisible();
  await page.getByLabel("New collection").fill("For winter 🥣");
  await save(page).click();
  await expect(page.getByRole("button", { name: "UnSave" })).toBeVisible();

  await page.goto("/saved");
  await page.getByRole("link", { name: "Collections" }).click();
  await page.getByRole("link", { name: "For winter 🥣" }).click();
  const tiles = page.locator("main").getByRole("link", { name: /^(Soup|Bread)$/ });
  await expect(tiles).toHaveCount(1);

  await page.goto(soup.replace(/\d+$/, "2"));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: "UnSave" })).toBeVisible();
  await page.goto("/saved/collections");
  await page.getByRole("link", { name: "For winter 🥣" }).click();
  await page.getByRole("link", { name: "Add or remove" }).click();
  await page.getByRole("checkbox", { name: "Bread" }).focus();
  await page.keyboard.press("Space");
  await expect(page.getByRole("checkbox", { name: "Soup" })).toBeChecked();
  await save(page).click();
  await expect(tiles).toHaveCount(2);
  await expect(tiles.first()).toHaveAccessibleName("Bread");
  await page.setViewportSize(phone);
  await expectNoSidewaysScroll(page);

  await page.goto(`${soup}/collections`);
  await expect(page.getByRole("checkbox", { name: "For winter 🥣" })).toBeChecked();
  await page.getByRole("checkbox", { name: "For winter 🥣" }).uncheck();
  await save(page).click();
  await expect(page.getByRole("button", { name: "UnSave" })).toBeVisible();

  const collection = await open(writer);
  const { items } = (await (await page.request.get("/api/saved/collections")).json()) as {
    items: { id: string }[];
  };
  await collection.goto("/saved/collections");
  await expect(collection.getByText("No collections yet")).toBeVisible();
  const answer = await collection.request.get(`/saved/collections/${items[0]?.id ?? ""}`);
  expect(answer.status()).toBe(404);
});

test("without scripts: make a collection, fill it page by page, rename it, and delete it", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Carl", secondName: "Carpenter" });
  const reader = await addMember(postcard, { firstName: "Nos", secondName: "Cript" });
  const photo = await plainPhoto("#60a080", 300, 300);
  const page = await open(reader, { javaScriptEnabled: false, expects: /status of 400/ });
  for (let index = 1; index <= 26; index += 1) {
    const path = await post(postcard, writer, { alt: `Chair ${index}`, photo });
    const form = { intent: "save", returnTo: "/saved" };
    await page.request.post(path, { headers: { Origin: postcard }, form });
  }
  await page.goto("/saved/collections");
  await page.getByRole("link", { name: "New collection" }).click();
  await page.getByRole("button", { name: "Create collection" }).click();
  await expect(page.getByText("Give the collection a title.")).toBeVisible();
  await page.getByLabel("Title").fill("Chairs");
  await page.getByRole("button", { name: "Create collection" }).click();
  await expect(page.getByText("Nothing in it yet")).toBeVisible();

  await page.getByRole("link", { name: "Add or remove" }).click();
  await page.getByRole("checkbox", { name: "Chair 26" }).check();
  await page.getByRole("button", { name: "Save, then older posts" }).click();
  await page.getByRole("checkbox", { name: "Chair 2", exact: true }).check();
  await save(page).click();
  const tiles = page.locator("main").getByRole("link", { name: /^Chair / });
  await expect(tiles).toHaveCount(2);
  await page.getByRole("link", { name: "Add or remove" }).click();
  await page.getByRole("checkbox", { name: "Chair 26" }).uncheck();
  await save(page).click();
  await expect(tiles).toHaveCount(1);

  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Title").fill("Good chairs");
  await save(page).click();
  await expect(page.getByRole("heading", { name: "Good chairs" })).toBeVisible();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("link", { name: "Delete collection" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("No collections yet")).toBeVisible();
  await page.goto("/saved");
  await expect(page.getByRole("link", { name: /^Photos ?, 26$/ })).toBeVisible();
});
