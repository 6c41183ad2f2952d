import { readFile } from "node:fs/promises";
import { apiPath } from "./support/acts.ts";
import { expectWell, nameOf, otherShapes, send, type Told } from "./support/audiences.ts";
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
  await expect(page.getByText("You haven't shared any link")).toBeVisible();
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
