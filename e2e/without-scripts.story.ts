import { writeFile } from "node:fs/promises";
import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expectDrawn } from "./support/served-images.ts";
import { expect, test } from "./support/stories.ts";

const plain = { javaScriptEnabled: false };

test("without scripts one signs in, reads, pages back, follows and unfollows", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Ines", secondName: "Prosa" });
  const painter = await addMember(postcard, {
    firstName: "Otto",
    secondName: `Pigment${Date.now()}`,
  });
  const reader = await addMember(postcard, { firstName: "Ada", secondName: "Quill" });
  await post(postcard, painter, { caption: "Ochre", photo: await plainPhoto("#c98a2b") });
  for (let note = 1; note <= 11; note += 1) {
    await post(postcard, writer, { caption: `Note number ${note}.` });
  }
  await follow(postcard, reader, writer);

  const page = await open(null, plain);
  await page.goto("/signIn");
  await page.getByLabel("Email").fill(reader.email);
  await page.getByLabel("Password", { exact: true }).fill(reader.password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page.getByText("Signed In Successfully")).toBeVisible();
  await page.getByRole("link", { name: "OK" }).click();
  await expect(page).toHaveURL("/");

  await expect(page.getByRole("article")).toHaveCount(10);
  await expect(page.getByRole("article").first()).toContainText("Note number 11.");
  await page.getByRole("link", { name: "Older posts" }).click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(page.getByRole("article")).toContainText("Note number 1.");
  await page.getByRole("link", { name: "Newest posts" }).click();
  await expect(page.getByRole("article")).toHaveCount(10);
  // A card's menu leads to the post's page, whose menu has everything.
  const options = page.getByRole("button", { name: /^Options for this post/ });
  await options.first().click();
  await page.locator(":popover-open").getByRole("link", { name: "Open this post" }).click();
  await options.click();
  await expect(page.getByRole("link", { name: "Mute", exact: true })).toBeVisible();

  await page.goto("/search");
  await page
    .getByLabel("Search people or #hashtags")
    .fill(`otto${painter.name.slice(5).toUpperCase()}`);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: painter.name }).click();
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(page).toHaveURL(`/search/${painter.id}`);
  await expect(page.getByRole("link", { name: "1 follower" })).toBeVisible();
  await page.goto("/");
  await expectDrawn(page.getByRole("article").locator("img[srcset*=w]").last());

  await page.goto(`/search/${painter.id}`);
  await page.getByRole("button", { name: "Following", exact: true }).click();
  await expect(page.getByText("Unfollow this account?")).toBeVisible();
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page).toHaveURL(`/search/${painter.id}`);
  await expect(page.getByRole("button", { name: "Follow", exact: true })).toBeVisible();
});

test("without scripts one posts words and a photo, and a refused photo keeps the caption", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Plain", secondName: "Paper" });
  const page = await open(writer, { ...plain, expects: /status of 4(00|13|15|22)/ });
  await page.goto("/upload");
  await page.getByLabel("Write a Caption").fill("Typed by hand");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/);

  await page.goto("/upload");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByText("Add a photo or write something")).toBeVisible();

  await page.getByLabel("Write a Caption").fill("A drawing");
  const svg = { name: "a.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") };
  await page.locator('input[name="image"]').setInputFiles(svg);
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByText("We can't use this file.")).toBeVisible();
  await expect(page.getByLabel("Write a Caption")).toHaveValue("A drawing");

  const heavy = test.info().outputPath("heavy.jpg");
  await writeFile(heavy, Buffer.alloc(26_300_000, 1));
  await page.locator('input[name="image"]').setInputFiles(heavy);
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByText("This picture is larger than 25 MB.")).toBeVisible();
  await expect(page.getByLabel("Write a Caption")).toHaveValue("A drawing");

  await page.locator('input[name="image"]').setInputFiles(await plainPhoto("#2b6fc9"));
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/);
  await page.goto("/profile");
  await expect(page.getByText("2 posts")).toBeVisible();
  await expectDrawn(page.getByRole("img", { name: "A drawing" }));
});
