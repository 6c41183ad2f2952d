import { axeFinds } from "./support/axe.ts";
import { addMember, postSet } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

async function people(postcard: string) {
  const ana = await addMember(postcard, { firstName: "Ana", secondName: "Amend" });
  const bob = await addMember(postcard, { firstName: "Bob", secondName: "Browse" });
  const photos = [
    { photo: await plainPhoto("#7a2e2e", 600, 600), alt: "" },
    { photo: await plainPhoto("#2e7a3a", 600, 600), alt: "Green" },
    { photo: await plainPhoto("#2e3a7a", 600, 600), alt: "" },
  ];
  const path = await postSet(postcard, ana, { photos, caption: "Three colours" });
  return { ana, bob, path };
}

for (const [name, viewport] of Object.entries({ phone, desktop })) {
  test(`on a ${name}: a reader suggests alt text, the author is notified, uses one and dismisses another`, async ({
    open,
    postcard,
  }) => {
    const { ana, bob, path } = await people(postcard);
    const page = await open(bob, { viewport });
    await page.goto(path);
    await page.getByRole("button", { name: "Options for this post by Ana Amend" }).click();
    await page.getByRole("link", { name: "Suggest a description" }).click();
    await expect(page.getByRole("heading", { name: "Suggest a description" })).toBeVisible();
    await expect(page.getByLabel("What does photo 2 show?")).toHaveCount(0);
    await page.getByLabel("What does photo 1 show?").fill("A field of red");
    await page.getByLabel("What does photo 3 show?").fill("The evening sky");
    expect(await axeFinds(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByText("Thank you")).toBeVisible();

    const author = await open(ana, { viewport });
    await author.goto("/notifications");
    await author.getByRole("link", { name: "Bob Browse suggested a description" }).click();
    const section = author.getByRole("region", { name: "Suggested descriptions" });
    await expect(section.getByRole("listitem")).toHaveCount(2);
    expect(await axeFinds(author)).toEqual([]);
    await expectNoSidewaysScroll(author);
    const red = section.getByRole("listitem").filter({ hasText: "A field of red" });
    await red.getByRole("button", { name: "Use it" }).click();
    await expect(red).toHaveCount(0);
    const article = author.locator("article");
    await expect(article.getByRole("img", { name: "A field of red" })).toBeAttached();
    await expect(article.locator("time", { hasText: "Edited" })).toHaveCount(0);
    await section.getByRole("button", { name: "Dismiss" }).click();
    await expect(section).toHaveCount(0);
  });
}

test("without scripts alt text is suggested, changed, withdrawn, and taken; and in the editor with them", async ({
  open,
  postcard,
}) => {
  const { ana, bob, path } = await people(postcard);
  const plain = await open(bob, { javaScriptEnabled: false, expects: /status of 400/ });
  await plain.goto(`${path}/describe`);
  await plain.getByLabel("What does photo 1 show?").fill("x".repeat(1001));
  await plain.getByLabel("What does photo 3 show?").fill("Sky");
  await plain.getByRole("button", { name: "Send" }).click();
  // An error in one does not stop the others, and nothing typed is lost.
  await expect(plain.getByText("A description can have 1,000")).toBeVisible();
  await expect(plain.getByLabel("What does photo 3 show?")).toHaveValue("Sky");
  await plain.getByLabel("What does photo 1 show?").fill("Red");
  await plain.getByLabel("What does photo 3 show?").fill("");
  await plain.getByRole("button", { name: "Send" }).click();
  await expect(plain.getByText("Thank you")).toBeVisible();

  const author = await open(ana, { javaScriptEnabled: false });
  await author.goto(path);
  const section = author.getByRole("region", { name: "Suggested descriptions" });
  await expect(section.getByRole("listitem")).toHaveCount(1);
  await section.getByRole("button", { name: "Use it" }).click();
  await expect(author).toHaveURL(path);
  await expect(section).toHaveCount(0);
  await expect(author.locator("article").getByRole("img", { name: "Red" })).toBeAttached();

  await plain.goto(`${path}/describe`);
  await plain.getByLabel("What does photo 3 show?").fill("Evening sky");
  await plain.getByRole("button", { name: "Send" }).click();
  await expect(plain.getByText("Thank you")).toBeVisible();
  const editor = await open(ana);
  await editor.goto(`${path}/edit`);
  await editor.getByRole("button", { name: /^Photo 3 of 3/ }).click();
  await editor.getByRole("button", { name: "Use it" }).click();
  await expect(editor.getByLabel("Describe photo 3 of 3")).toHaveValue("Evening sky");
  await editor.getByRole("button", { name: "Save" }).click();
  await expect(editor).toHaveURL(path);
  await expect(editor.getByRole("img", { name: "Evening sky" })).toBeAttached();
  await expect(editor.getByRole("region", { name: "Suggested descriptions" })).toHaveCount(0);
});

test("what was typed into a suggestion stays when the connection is lost", async ({
  open,
  postcard,
}) => {
  const { bob, path } = await people(postcard);
  const page = await open(bob, { expects: /ERR_INTERNET_DISCONNECTED/ });
  await page.goto(`${path}/describe`);
  const field = page.getByLabel("What does photo 1 show?");
  await field.fill("Red, in the dark");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("alert").getByText("We couldn't reach Postcard")).toBeVisible();
  await page.context().setOffline(false);
  await expect(field).toHaveValue("Red, in the dark");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Thank you")).toBeVisible();
});
