import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Page } from "@playwright/test";
import { ZipFile } from "yazl";
import { expectAccessible } from "./support/axe.ts";
import { query } from "./support/installation.ts";
import { addMember } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, phone, test } from "./support/stories.ts";

const field = (page: Page) => page.getByLabel("Choose your archive (zip file)");

/** As Instagram lists accounts. */
const listed = (names: string[]) =>
  names.map((name) => ({
    title: name,
    string_list_data: [{ href: `https://www.instagram.com/${name}`, timestamp: 1 }],
  }));

/** An export of Instagram that has nothing but connections. */
async function connections(...names: string[]) {
  const zip = new ZipFile();
  const folder = "connections/followers_and_following";
  const following = { relationships_following: listed(names) };
  zip.addBuffer(Buffer.from(JSON.stringify(following)), `${folder}/following.json`);
  const followers = JSON.stringify(listed(["a_follower"]));
  zip.addBuffer(Buffer.from(followers), `${folder}/followers_1.json`);
  zip.end();
  const bytes = await buffer(zip.outputStream);
  return { name: "connections.zip", mimeType: "application/zip", buffer: bytes };
}

for (const viewport of [phone, desktop]) {
  test(`a member finds those whom they followed elsewhere, and only their names are sent, once it is asked for, at ${viewport.width} px`, async ({
    open,
    postcard,
  }) => {
    const width = viewport.width;
    const friend = await addMember(postcard, { firstName: "Fenna", secondName: "Followed" });
    await query(postcard, "update accounts set website = $2 where id = $1", [
      friend.id,
      `https://www.instagram.com/fenna_${width}/`,
    ]);
    const member = await addMember(postcard, { firstName: "Pia", secondName: "People" });
    const page = await open(member, { viewport, expects: /ERR_|Failed to (fetch|load)/ });
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/calls/imports")) sent.push(request.postData() ?? "");
    });
    await page.goto("/settings/data/bring");
    await field(page).setInputFiles(await connections(`fenna_${width}`, "nobody_here"));
    const people = page.getByRole("region", { name: "People you followed" });
    await expect(people.getByText("Your file names 2 accounts that you followed.")).toBeVisible();
    expect(sent).toEqual([]);
    await expectAccessible(page, "before people are looked for");

    await page.route("**/calls/imports/people", (route) => route.abort());
    const find = people.getByRole("button", { name: "Find people you followed" });
    await find.press("Enter");
    await expect(people.getByRole("alert")).toBeVisible();
    await page.unroute("**/calls/imports/people");
    sent.length = 0;
    await find.press("Enter");
    await expect(
      people.getByText("1 of them is here, by the links in their profile."),
    ).toBeVisible();
    await expect(people.getByText(`instagram.com/fenna_${width}`)).toBeVisible();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain("nobody_here");
    expect(sent[0]).not.toContain("a_follower");
    await people.getByRole("button", { name: "Follow", exact: true }).click();
    await expect(people.getByRole("button", { name: "Following" })).toBeVisible();
    await expectAccessible(page, "people that are here");

    await page.getByRole("button", { name: "Choose another file" }).click();
    const table = "Account address,Show boosts\nnobody@m.example,true\n";
    await field(page).setInputFiles({
      name: "following_accounts.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(table),
    });
    await find.click();
    await expect(people.getByText("None of them has linked that account")).toBeVisible();
  });
}

/** Photos in a folder, one of them in a folder of its own. */
async function folderOfPhotos(): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), "bring-")), "Holiday");
  mkdirSync(join(folder, "Sea"), { recursive: true });
  const photos = ["IMG_20190503_101500.jpg", "Sea/IMG_20200229_120000.jpg"];
  for (const [at, name] of photos.entries())
    writeFileSync(join(folder, name), (await plainPhoto("teal", 300 + at, 200)).buffer);
  writeFileSync(join(folder, "notes.txt"), "What is no photo is not read.");
  return folder;
}

for (const viewport of [phone, desktop]) {
  test(`a member brings a folder, and once more without what is here already, at ${viewport.width} px`, async ({
    open,
    postcard,
  }) => {
    const member = await addMember(postcard, { firstName: "Fritz", secondName: "Folder" });
    const page = await open(member, { viewport });
    await page.goto("/settings/data/bring");
    const choose = page.getByLabel("Or choose a folder");
    await choose.focus();
    await expect(choose).toBeFocused();
    const folder = await folderOfPhotos();
    await choose.setInputFiles(folder);
    await expect(page.getByText(/^2 of 2 posts, 2 photos, /)).toBeVisible();
    await page.getByRole("checkbox", { name: /^2019/ }).uncheck();
    await page.getByRole("button", { name: "Bring 1 post" }).click();
    await expect(page.getByText("1 of 1 posts imported.")).toBeVisible({ timeout: 60_000 });
    await choose.setInputFiles(folder);
    await expect(page.getByText("1 of them is here already.")).toBeVisible();
    await page.getByRole("button", { name: "Bring 1 post" }).click();
    await expect(page.getByText("1 of 2 posts imported. 1 was here already.")).toBeVisible({
      timeout: 60_000,
    });
    await expectAccessible(page, "the outcome of the second time");
  });
}

test("a phone, which has no folders, is not offered to choose one", async ({ open, postcard }) => {
  const member = await addMember(postcard, { firstName: "Tom", secondName: "Touch" });
  const page = await open(member, { viewport: phone, hasTouch: true, isMobile: true });
  await page.goto("/settings/data/bring");
  await expect(field(page)).toBeAttached();
  await expect(page.getByText("Or choose a folder")).toBeHidden();
});
