import { axeFinds } from "./support/axe.ts";
import { addMember, follow, post, type Member } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

/** A member with posts of both kinds, and one who follows and is followed. */
async function twoFriends(
  url: string,
): Promise<{ writer: Member; reader: Member; paths: string[] }> {
  const writer = await addMember(url, { firstName: "Vera", secondName: "Various" });
  const reader = await addMember(url, { firstName: "Axel", secondName: "Accessible" });
  const photo = await plainPhoto("#c0b090", 1000, 800);
  const paths = [
    await post(url, writer, { caption: "A few warm words." }),
    await post(url, writer, { caption: "With a photo", alt: "A plain wall", photo }),
    await post(url, writer, { photo }),
  ];
  await follow(url, reader, writer);
  await follow(url, writer, reader);
  return { writer, reader, paths };
}

test("axe finds nothing, and the dark theme has contrast enough everywhere", async ({
  open,
  postcard,
}) => {
  const { writer, reader, paths } = await twoFriends(postcard);
  // Colours are measured at rest, not during the change from one theme to the other.
  const member = await open(reader, { reducedMotion: "reduce" });
  const visitor = await open(null, { viewport: desktop, reducedMotion: "reduce" });
  const looks: [typeof member, string][] = [
    [member, "/"],
    [member, "/profile"],
    [member, `/search/${writer.id}?tab=texts`],
    [member, paths[1] ?? ""],
    [member, "/search?q=vera"],
    [member, "/upload"],
    [visitor, paths[0] ?? ""],
    [visitor, "/signIn"],
  ];
  for (const [page, path] of looks) {
    await page.goto(path);
    expect(await axeFinds(page), `${path} in light`).toEqual([]);
    await page.evaluate(() => {
      document.documentElement.dataset["theme"] = "synthwave";
    });
    // Except for the colours, the page is the same.
    expect(await axeFinds(page, ["color-contrast"]), `${path} in synthwave`).toEqual([]);
  }
});

test("no screen complains in the console or breaks the layout, loaded or reached by links", async ({
  open,
  postcard,
}) => {
  const { writer, reader, paths } = await twoFriends(postcard);
  for (const viewport of [phone, desktop]) {
    const page = await open(reader, {
      viewport,
      theme: viewport === phone ? "light" : "synthwave",
    });
    for (const path of [
      "/",
      "/search",
      "/search?q=ver",
      `/search/${writer.id}`,
      `/search/${writer.id}?tab=texts`,
      `/follow/${writer.id}?returnTo=/`,
      ...paths,
      "/profile",
      "/profile?tab=texts",
      `/profile/followers/${reader.id}`,
      `/profile/following/${reader.id}`,
      "/upload",
      "/saved",
      "/notifications",
      "/chat",
      "/settings",
    ]) {
      await page.goto(path);
      await expect(page.locator("main")).not.toBeEmpty();
      await expectNoSidewaysScroll(page);
    }
    await page.goto("/");
    await page.getByRole("link", { name: "Open this post" }).first().click();
    await expect(page).toHaveURL(/\/post\//);
    await expect(page.getByRole("heading", { name: `Post by ${writer.name}` })).toBeAttached();
    await page.locator("main").getByRole("link", { name: writer.name, exact: true }).click();
    await expect(page.getByRole("heading", { name: writer.name })).toBeVisible();
    await page.getByRole("link", { name: "Words" }).click();
    await expect(page).toHaveURL(/\?tab=texts$/);
    await page.getByRole("link", { name: /follower/ }).click();
    await expect(page.getByRole("link", { name: reader.name })).toBeVisible();
    await page.getByRole("link", { name: reader.name }).filter({ visible: true }).first().click();
    await expect(page).toHaveURL("/profile");
  }
});

test("search finds while one types, keeps the query in the address and asks for a name", async ({
  open,
  postcard,
}) => {
  const found = await addMember(postcard, { firstName: "Zoë", secondName: `Quist${Date.now()}` });
  const page = await open(found);
  await page.goto("/search");
  const field = page.getByLabel("Search people or #hashtags");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("required*")).toBeVisible();
  await field.pressSequentially(`zoe ${found.name.slice(4)}`.toLowerCase());
  await expect(page.getByText("required*")).toHaveCount(0);
  const entry = page.locator("main").getByRole("link", { name: found.name });
  // One's own entry leads to one's own profile.
  await expect(entry).toHaveAttribute("href", "/profile");
  await expect(page).toHaveURL(/\/search\?q=zoe/);
  await page.reload();
  await expect(field).toHaveValue(/^zoe quist/);
  await expect(entry).toBeVisible();
  await field.fill("nobody is called this");
  await expect(page.getByText("No one found")).toBeVisible();
  await field.fill("   ");
  await field.press("Enter");
  await expect(page.getByText("required*")).toBeVisible();
});
