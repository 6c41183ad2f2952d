import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { apiPath } from "./support/acts.ts";
import { expectWell, nameOf, otherShapes, people, send, type Told } from "./support/audiences.ts";
import { addPhoto, linkBy, makeAlbum } from "./support/guests.ts";
import { addMember, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expect, phone, test } from "./support/stories.ts";

/** A post for followers reaches a grandmother, with a password, until its author ends that. */
async function sharesWithAGuest(
  { open, postcard, shape }: Told,
  options: { javaScriptEnabled?: boolean } = {},
): Promise<void> {
  const ana = await addMember(postcard, { firstName: "Ana", secondName: "Author" });
  const photo = await plainPhoto("#3a6b8c", 1200, 900);
  const caption = "The first swim of the year.";
  const path = await post(postcard, ana, { caption, alt: "Cold water", photo });
  const now = await fetch(postcard + apiPath(path), { headers: { cookie: ana.cookie } });
  const { version } = (await now.json()) as { version: number };
  await send(postcard, ana, "PATCH", apiPath(path), { version, audience: "followers" });

  const page = await open(ana, { ...shape, ...options });
  await page.goto(path);
  await page.getByRole("button", { name: "Options for this post" }).click();
  await page.getByRole("link", { name: "Share with a guest" }).click();
  await expect(
    page.getByText("This link shows 1 photo that is for your followers only."),
  ).toBeVisible();
  await page.getByLabel("Password", { exact: false }).first().fill("lighthouse");
  await page.getByLabel("Guests may download the photos").check();
  if (options.javaScriptEnabled !== false) await expectWell(page);
  await page.getByRole("button", { name: "Make the link" }).click();
  const address = await page.getByLabel("Your link").inputValue();
  await expect(page.getByRole("img", { name: "The link as a QR code" })).toBeVisible();
  if (options.javaScriptEnabled !== false) await expectWell(page);

  const guest = await open(null, { ...shape, ...options, viewport: phone, expects: /status of 4/ });
  await guest.goto(new URL(address).pathname);
  await expect(guest).toHaveURL(/\/shared\/[0-9a-f-]{36}$/);
  await expect(guest.getByRole("heading", { name: "This one is sealed" })).toBeVisible();
  await expect(guest.getByText("Ana Author")).toHaveCount(0);
  if (options.javaScriptEnabled !== false) await expectWell(guest);
  await guest.getByLabel("Password", { exact: true }).fill("lantern");
  await guest.getByRole("button", { name: "Open it" }).click();
  await expect(guest.getByText("This isn't the password of this link.")).toBeVisible();
  await guest.getByLabel("Password", { exact: true }).fill("lighthouse");
  await guest.getByRole("button", { name: "Open it" }).click();
  await expect(guest.getByRole("heading", { name: "A postcard from Ana Author" })).toBeVisible();
  await expect(guest.getByText(caption)).toBeVisible();
  const shown = guest.getByRole("img", { name: "Cold water" });
  await expect
    .poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(300);
  const photoAddress = await shown.evaluate((image: HTMLImageElement) => image.currentSrc);
  if (options.javaScriptEnabled !== false) await expectWell(guest);

  const [download] = await Promise.all([
    guest.waitForEvent("download"),
    guest.getByRole("link", { name: "Download Cold water" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^postcard-[0-9a-f]{8}\.webp$/);
  expect((await readFile(await download.path())).toString("latin1", 8, 12)).toBe("WEBP");

  await page.goto("/settings/links");
  await expect(page.getByText("Opened once")).toBeVisible();
  await page.getByRole("button", { name: "End this link" }).click();
  await expect(page.getByText("You haven't shared any links")).toBeVisible();
  await guest.reload();
  await expect(guest.getByRole("heading", { name: "This link has had its day" })).toBeVisible();
  expect((await guest.request.get(photoAddress)).status()).toBe(404);
  if (options.javaScriptEnabled !== false) await expectWell(guest);
}

test("a post for followers is shared with a guest by a link with a password, and that ends at a press", ({
  open,
  postcard,
}) => sharesWithAGuest({ open, postcard, shape: {} }));

test("without scripts a link is made, opened and ended all the same", ({ open, postcard }) =>
  sharesWithAGuest({ open, postcard, shape: {} }, { javaScriptEnabled: false }));

for (const shape of otherShapes) {
  test(`${nameOf(shape)}: a post is shared with a guest`, ({ open, postcard }) =>
    sharesWithAGuest({ open, postcard, shape }));
}

type Options = { javaScriptEnabled?: boolean };

/** Ana shares an album; Bob, who adds to it, allows that his photo is shown; guests look until the link ends. */
async function sharesAnAlbum({ open, postcard, shape }: Told, options: Options = {}) {
  const scripts = options.javaScriptEnabled !== false;
  const well = (page: Page) => (scripts ? expectWell(page) : null);
  const { ana, bob } = await people(postcard);
  const album = await makeAlbum(postcard, ana, "Two weeks by the sea 🏖️");
  const role = { role: "contributor" };
  await send(postcard, ana, "PUT", `/api/albums/${album}/members/${bob.username}`, role);
  for (const [nth, who] of [ana, ana, ana, bob].entries()) {
    const photo = await plainPhoto(`hsl(${nth * 80}, 50%, 45%)`, 900 + nth * 100, 700);
    const [caption, alt] = [`Day ${nth + 1}`, `Photo ${nth + 1}`];
    await addPhoto(postcard, who, album, { caption, alt, photo });
  }

  const page = await open(ana, { ...shape, ...options });
  await page.goto(`/album/${album}`);
  await page.getByRole("link", { name: "Share a link" }).click();
  await expect(page.getByText("that are for this album's members only")).toBeVisible();
  await expect(page.getByText("1 photo of others stays hidden")).toBeVisible();
  await page.getByLabel("Guests may download the photos").check();
  await well(page);
  await page.getByRole("button", { name: "Make the link" }).click();
  const address = new URL(await page.getByLabel("Your link").inputValue()).pathname;

  const guest = await open(null, { ...shape, ...options, viewport: phone, expects: /status of 4/ });
  await guest.goto(address);
  await expect(guest.getByRole("heading", { name: "Two weeks by the sea" })).toBeVisible();
  await expect(guest.getByRole("img", { name: "Photo 3" })).toBeVisible();
  await expect(guest.locator(".album-photo")).toHaveCount(3);
  await well(guest);

  const hers = await open(bob, { ...shape, ...options });
  await hers.goto(`/album/${album}/members`);
  await hers.getByText("Your photos in links for guests").click();
  await well(hers);
  await hers.getByRole("button", { name: "Allow links to show my photos" }).click();
  await expect(hers.getByText("Shown", { exact: true })).toBeVisible();
  await guest.reload();
  await expect(guest.locator(".album-photo")).toHaveCount(4);
  await expect(guest.getByText("Bob")).toHaveCount(0);

  await guest.getByRole("img", { name: "Photo 1" }).click();
  await expect(guest.getByText("Day 1")).toBeVisible();
  await guest.getByRole("link", { name: "Next photo" }).click();
  await expect(guest.getByText("Day 2")).toBeVisible();
  await well(guest);

  await page.goto("/settings/links");
  await expect(page.getByText("Album “Two weeks by the sea 🏖️”")).toBeVisible();
  await page.getByRole("button", { name: "End this link" }).click();
  await expect(page.getByText("You haven't shared any links")).toBeVisible();
  await guest.getByRole("link", { name: "Next photo" }).click();
  await expect(guest.getByRole("heading", { name: "This link has had its day" })).toBeVisible();
}

test("an album is shared with guests: each contributor's photos only as they allow", ({
  open,
  postcard,
}) => sharesAnAlbum({ open, postcard, shape: {} }));

test("without scripts an album is shared all the same", ({ open, postcard }) =>
  sharesAnAlbum({ open, postcard, shape: {} }, { javaScriptEnabled: false }));

for (const shape of otherShapes) {
  test(`${nameOf(shape)}: an album is shared with guests`, ({ open, postcard }) =>
    sharesAnAlbum({ open, postcard, shape }));
}

test("a link that ends while guests look says so, friendly, at whatever they do next", async ({
  open,
  postcard,
}) => {
  const ana = await addMember(postcard, { firstName: "Ana", secondName: "Author" });
  const album = await makeAlbum(postcard, ana, "A long walk");
  for (let nth = 0; nth < 62; nth += 1) {
    const photo = await plainPhoto(`hsl(${nth * 5}, 50%, 45%)`, 240, 180);
    await addPhoto(postcard, ana, album, { alt: `Photo ${nth + 1}`, photo });
  }
  const wanted = { kind: "album", album, albumAudience: "members" };
  const address = await linkBy(postcard, ana, { ...wanted, downloads: true });
  const guests: Page[] = [];
  for (let nth = 0; nth < 4; nth += 1) {
    const guest = await open(null, {
      viewport: phone,
      reducedMotion: "reduce",
      expects: /status of 4/,
    });
    await guest.goto(address);
    await expect(guest.getByRole("heading", { name: "A long walk" })).toBeVisible();
    guests.push(guest);
  }
  const [first, second, third, fourth] = guests as [Page, Page, Page, Page];
  await third.getByRole("button", { name: "Slide show" }).click();
  const show = third.getByRole("dialog");
  await expect(show).toHaveAccessibleName("Photo 1 of 60");
  const id = new URL(first.url()).pathname.split("/").at(-1);
  await send(postcard, ana, "DELETE", `/api/links/${id}`);

  await first.getByRole("img", { name: "Photo 1", exact: true }).click();
  await second.getByRole("link", { name: "More photos" }).click();
  await third.keyboard.press("End");
  for (const guest of [first, second, third]) {
    await expect(guest.getByRole("heading", { name: "This link has had its day" })).toBeVisible();
  }
  await fourth.getByRole("link", { name: "Download all photos" }).click();
  await expect(fourth.getByText("This link doesn't work any more.")).toBeVisible();
});
