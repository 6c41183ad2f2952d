import type { Page } from "@playwright/test";
import { enter } from "../support/members.ts";
import { guide, pageOf, press, type Tour } from "./guide.ts";

const title = "A week by the sea";

/** Opens it; makes it first, where no earlier window did. */
async function openAlbum(page: Page, tour: Tour): Promise<void> {
  await page.goto("/profile?tab=albums");
  const there = page.getByRole("link", { name: title });
  if ((await there.count()) === 0) {
    await page.goto("/album/new");
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("A few words").fill("Everything that is not a boat is lemons.");
    await press(page, "Create album");
    await page.getByRole("heading", { name: title }).waitFor();
    await page.goto(`${new URL(page.url()).pathname}/add`);
    await page.locator('input[name="image"]').setInputFiles(tour.staged.album);
    await page.getByText(`${tour.staged.album.length} photos added.`).waitFor();
    await page.goto("/profile?tab=albums");
  }
  await there.first().click();
  await page.getByRole("heading", { name: title }).waitFor();
}

/** Albums, and what a guest sees by a link. */
export async function albums(tour: Tour, missed: string[]): Promise<void> {
  const context = await tour.browse();
  await enter(context, tour.url, tour.staged.nora);
  const page = await pageOf(context);
  const see = guide(page, tour.camera, missed);
  await see("album", () => openAlbum(page, tour));
  const path = new URL(page.url()).pathname;
  await see("profile-albums", () => page.goto("/profile?tab=albums"));
  await see("album-arrange", () => page.goto(`${path}/arrange`));
  await see("album-members", () => page.goto(`${path}/members`));
  let link = "";
  await see("link-made", async () => {
    await page.goto(tour.staged.own);
    await page.getByRole("button", { name: "Options for this post" }).click();
    await page.getByRole("link", { name: "Share with a guest" }).click();
    await press(page, "Make the link");
    link = new URL(await page.getByLabel("Your link").inputValue()).pathname;
  });
  await see("settings-links", () => page.goto("/settings/links"));
  const visit = await tour.browse();
  const guest = await pageOf(visit);
  await guide(guest, tour.camera, missed)("guest", () => guest.goto(link));
  await Promise.all([context.close(), visit.close()]);
}
