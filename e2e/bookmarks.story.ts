import { holdBack } from "./support/acts.ts";
import { addMember, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expect, expectAnswered, test } from "./support/stories.ts";

test("Save becomes UnSave at once; a failed one turns back and says so", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Sara", secondName: "Saved" });
  const reader = await addMember(postcard, { firstName: "Keep", secondName: "Er" });
  const path = await post(postcard, writer, { caption: "Keep me." });
  const page = await open(reader, { expects: /status of 500|ERR_INTERNET_DISCONNECTED/ });
  await page.goto(path);
  const save = page.getByRole("button", { name: "Save", exact: true });
  const unsave = page.getByRole("button", { name: "UnSave", exact: true });

  const answered = Promise.withResolvers<void>();
  await page.route("**/api/posts/*/*/save", async (route) => {
    await answered.promise;
    await route.fulfill({ status: 500, body: "oops" });
  });
  await save.click();
  await expect(unsave).toBeVisible();
  answered.resolve();
  await expect(
    page.getByText("Couldn't save this post. Something went wrong on our side."),
  ).toBeVisible();
  await expect(save).toBeVisible();
  await page.unroute("**/api/posts/*/*/save");

  await page.context().setOffline(true);
  await save.click();
  await expect(
    page.getByText("Couldn't save this post. We couldn't reach Postcard."),
  ).toBeVisible();
  await expect(save).toBeVisible();
  await page.context().setOffline(false);

  await save.click();
  await expect(unsave).toBeVisible();
  await expectAnswered(page);
  await page.context().setOffline(true);
  await unsave.click();
  await expect(page.getByText("Couldn't unsave this post.")).toBeVisible();
  await expect(unsave).toBeVisible();
  await page.context().setOffline(false);
  await page.reload();
  await expect(unsave).toBeVisible();

  const { methods, release } = await holdBack(page, "**/api/posts/*/*/save");
  await unsave.click();
  await save.click();
  await unsave.click();
  release();
  await expect(save).toBeVisible();
  await expect.poll(() => methods).toEqual(["DELETE"]);
  await page.unrouteAll({ behavior: "wait" });
  await expectAnswered(page);
  await page.reload();
  await expect(save).toBeVisible();
});

test("Saved keeps photos in a grid of three and words as cards, latest saved first", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Archi", secondName: "Ve" });
  const reader = await addMember(postcard, { firstName: "Col", secondName: "Lector" });
  const page = await open(reader);
  await page.goto("/saved");
  await expect(page.getByText("Nothing saved yet")).toBeVisible();
  await page.getByRole("link", { name: "Words" }).click();
  await expect(page.getByText("Nothing saved yet")).toBeVisible();

  const photo = await plainPhoto("#6080a0", 300, 300);
  const photos: string[] = [];
  for (let index = 1; index <= 26; index += 1) {
    photos.push(await post(postcard, writer, { alt: `Photo ${index}`, photo }));
  }
  const texts = [
    await post(postcard, writer, { caption: "Older words." }),
    await post(postcard, writer, { caption: "Newer words." }),
  ];
  // The newer text post is saved before the older one: the order is that of saving.
  for (const path of [...photos, ...texts.toReversed()]) {
    const answer = await page.request.post(path, {
      headers: { Origin: postcard },
      form: { intent: "save", returnTo: "/saved" },
    });
    expect(answer.status(), path).toBe(200);
  }

  await page.goto("/saved");
  const tiles = page.locator("main").getByRole("link", { name: /^Photo / });
  await expect(tiles.first()).toHaveAccessibleName("Photo 26");
  const tops = await Promise.all(
    [0, 1, 2, 3].map(async (at) => (await tiles.nth(at).boundingBox())?.y),
  );
  expect(tops[1]).toBe(tops[0]);
  expect(tops[2]).toBe(tops[0]);
  expect(tops[3]).toBeGreaterThan(tops[0] ?? 0);
  await tiles.nth(20).scrollIntoViewIfNeeded();
  await expect(tiles).toHaveCount(26);
  await expect(tiles.last()).toHaveAccessibleName("Photo 1");

  await expect(page.getByRole("link", { name: /^Photos ?, 26$/ })).toBeVisible();
  await page.getByRole("link", { name: /^Words ?, 2$/ }).click();
  const cards = page.getByRole("article");
  await expect(cards).toHaveText([/Older words\./, /Newer words\./]);
  // UnSave leaves the card until the next visit, so that Save can undo it.
  await cards.first().getByRole("button", { name: "UnSave" }).click();
  await expect(cards.first().getByRole("button", { name: "Save", exact: true })).toBeVisible();
  await expectAnswered(page);
  await page.reload();
  await expect(cards).toHaveText([/Newer words\./]);

  const other = await open(await addMember(postcard, { firstName: "Nosy", secondName: "Parker" }));
  await other.goto("/saved");
  await expect(other.getByText("Nothing saved yet")).toBeVisible();
});
