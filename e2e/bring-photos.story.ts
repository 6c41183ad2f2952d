import { buffer } from "node:stream/consumers";
import type { Page } from "@playwright/test";
import { ZipFile } from "yazl";
import { expectAccessible } from "./support/axe.ts";
import { addMember, follow } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

type Post = { day: string; caption: string; files: string[] };

/** What is told apart by its words, or by the size of its photo. */
const posts: Post[] = [
  { day: "2018-08-12", caption: "Left at home", files: ["tent.jpg"] },
  { day: "2019-05-03", caption: "The sea in May #sea", files: ["sea.jpg", "film.mp4"] },
  { day: "2019-06-20", caption: "Two of them", files: ["boat.jpg", "pier.jpg"] },
  { day: "2019-07-01", caption: "Not this one", files: ["rain.jpg"] },
  { day: "2020-01-15", caption: "Snow", files: ["snow.jpg"] },
  { day: "2020-02-01", caption: "Lost", files: ["nowhere.jpg"] },
];
const message = "A secret between two";

/** An export of Instagram with messages, a video, and a post whose photo is not there. */
async function instagramExport() {
  const zip = new ZipFile();
  const sizes = new Map<string, number>();
  const folder = "media/posts/201905";
  const listed = posts.map(({ day, caption, files }) => {
    const at = { creation_timestamp: Date.parse(day) / 1000, title: "" };
    return {
      ...at,
      title: caption,
      media: files.map((file) => ({ ...at, uri: `${folder}/${file}` })),
    };
  });
  zip.addBuffer(Buffer.from(JSON.stringify(listed)), "your_instagram_activity/media/posts_1.json");
  zip.addBuffer(
    Buffer.from(JSON.stringify({ messages: [{ sender_name: "Ida", content: message }] })),
    "your_instagram_activity/messages/inbox/ida_1/message_1.json",
  );
  const files = posts
    .flatMap((post) => post.files)
    .filter((file) => /(?<!nowhere)\.jpg$/.test(file));
  for (const [at, file] of files.entries()) {
    const photo = await plainPhoto(`hsl(${at * 60}, 50%, 45%)`, 300 + at * 90, 300);
    sizes.set(file, photo.buffer.length);
    zip.addBuffer(photo.buffer, `${folder}/${file}`);
  }
  zip.end();
  const bytes = await buffer(zip.outputStream);
  return { sizes, zip: { name: "instagram.zip", mimeType: "application/zip", buffer: bytes } };
}

/** Everything that a page sends: the bodies of its calls, and the lengths of files. */
function watchSent(page: Page) {
  const sent = { bodies: [] as string[], lengths: [] as number[], others: [] as string[] };
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    const length = request.headers()["upload-length"];
    if (length) sent.lengths.push(Number(length));
    else if (pathname.startsWith("/calls/imports")) sent.bodies.push(request.postData() ?? "");
    else if (request.method() !== "GET" && !/^\/api\/uploads\/[\w-]+$/.test(pathname)) {
      sent.others.push(`${request.method()} ${pathname}`);
    }
  });
  return sent;
}

const field = (page: Page) => page.getByLabel("Choose your archive (zip file)");

for (const viewport of [phone, desktop]) {
  test(`a member chooses what of an export comes, the line breaks, a reload goes on, and nothing else leaves the device, at ${viewport.width} px`, async ({
    open,
    postcard,
  }) => {
    const member = await addMember(postcard, { firstName: "Ines", secondName: "Insta" });
    const page = await open(member, { viewport, expects: /ERR_|Failed to (fetch|load)/ });
    const sent = watchSent(page);
    await page.goto("/settings/data");
    const section = page.getByRole("region", { name: "Bring your photos" });
    await section.getByRole("link", { name: "Choose a file" }).click();
    await page.getByText("How to get your file").click();
    await expect(page.getByText("with JSON as the format")).toBeVisible();
    await expectAccessible(page, "before a file is chosen");

    const { zip, sizes } = await instagramExport();
    await field(page).setInputFiles(zip);
    await expect(page.getByText("6 posts from Instagram.")).toBeVisible();
    await page.getByText("What does not come over").click();
    await expect(page.getByText("1 video or reel")).toBeVisible();
    await expect(page.getByText(/The post of February 1, 2020/)).toBeVisible();
    await page.getByRole("checkbox", { name: /^2018/ }).uncheck();
    await page.getByRole("checkbox", { name: /Not this one/ }).press(" ");
    await page.getByRole("checkbox", { name: "Keep hashtags" }).uncheck();
    await page.locator("summary", { hasText: "Who can see it" }).click();
    await page.getByRole("radio", { name: /^Only me/ }).check();
    await expect(page.getByText(/^3 of 5 posts, 4 photos, /)).toBeVisible();
    await expectAccessible(page, "the posts of an export");
    expect(sent.bodies.filter((body) => !body.startsWith('{"keys"'))).toEqual([]);

    let written = 0;
    await page.route("**/calls/imports/*/posts", async (route) => {
      written += 1;
      // The server has written it, and the browser never hears of that.
      if (written === 1) await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Bring 3 posts" }).click();
    await expect(page.getByText("Waiting for the connection")).toBeVisible({ timeout: 30_000 });
    await expectAccessible(page, "posts on their way");
    await page.getByRole("button", { name: "Pause" }).click();
    await expect(page.getByText("Paused")).toBeVisible();
    await page.unroute("**/calls/imports/*/posts");
    await page.reload();
    await expect(page.getByText("1 of 3 posts from Instagram are here.")).toBeVisible();
    await expectAccessible(page, "an import to go on with");
    await field(page).setInputFiles(zip);
    await expect(page.getByText("3 of 4 posts imported. 1 was left out.")).toBeVisible({
      timeout: 60_000,
    });
    await expectAccessible(page, "the outcome");

    const chosen = ["sea.jpg", "boat.jpg", "pier.jpg", "snow.jpg"].map((file) => sizes.get(file));
    expect(new Set(sent.lengths)).toEqual(new Set(chosen));
    const bodies = sent.bodies.join("\n");
    expect(bodies).toContain("The sea in May");
    for (const kept of [message, "Left at home", "Not this one", "#sea", "film.mp4"]) {
      expect(bodies, kept).not.toContain(kept);
    }
    expect(sent.others).toEqual([]);

    await page.goto("/profile");
    await expect(page.getByRole("link", { name: /The sea in May|Two of them|Snow/ })).toHaveCount(
      3,
    );
    const guest = await fetch(`${postcard}/post/${member.username}/1`);
    expect(guest.status).toBe(404);

    await page.goto("/settings/data");
    await section.getByRole("link", { name: /^Undo the import of .* from Instagram$/ }).click();
    await expect(
      page.getByRole("heading", { name: "Delete the 3 posts of this import?" }),
    ).toBeVisible();
    await expectAccessible(page, "the question before an import is undone");
    await page.getByRole("button", { name: "Delete" }).click();
    await expect(section.getByText("Your import is undone: 3 posts removed.")).toBeVisible({
      timeout: 60_000,
    });
    await expectAccessible(page, "an import that is undone");
  });
}

test("posts go on while their sender looks at something else, and a range is chosen with Shift", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Bea", secondName: "Background" });
  const page = await open(member, { viewport: desktop, expects: /ERR_|Failed to (fetch|load)/ });
  await page.goto("/settings/data/bring");
  await field(page).setInputFiles((await instagramExport()).zip);
  await page.getByRole("checkbox", { name: /^All/ }).uncheck();
  await expect(page.getByText(/^0 of 5 posts, /)).toBeVisible();
  await page.getByRole("checkbox", { name: /Snow/ }).press(" ");
  await page.getByRole("checkbox", { name: /Snow/ }).press("ArrowRight");
  // One row has one year: the first of 2019 is its newest.
  await expect(page.getByRole("checkbox", { name: /Not this one/ })).toBeFocused();
  await page.getByRole("checkbox", { name: /Two of them/ }).click({ modifiers: ["Shift"] });
  await expect(page.getByText(/^3 of 5 posts, 4 photos, /)).toBeVisible();
  await page.route("**/api/uploads", (route) => route.abort());
  await page.getByRole("button", { name: "Bring 3 posts" }).click();
  await expect(page.getByText("Waiting for the connection")).toBeVisible({ timeout: 30_000 });
  await page.getByRole("link", { name: "Your data" }).first().click();
  const chip = page.getByRole("region", { name: "Photos from another service" });
  await expect(chip.getByText("0 of 3 posts")).toBeVisible();
  await page.unroute("**/api/uploads");
  await expect(page.getByText("3 of 4 posts imported. 1 was left out.")).toBeVisible({
    timeout: 60_000,
  });
});

test("without scripts photos are brought and the import is undone, too", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Nils", secondName: "Noscript" });
  const follower = await addMember(postcard, { firstName: "Nora", secondName: "Noscript" });
  await follow(postcard, follower, member);
  const page = await open(member, { javaScriptEnabled: false });
  await page.goto("/settings/data/bring");
  await field(page).setInputFiles((await instagramExport()).zip);
  await page.getByRole("checkbox", { name: /^Show the newest 10 to my followers/ }).check();
  await page.getByRole("button", { name: "Import" }).click();
  await expect(page.getByText("5 of 6 posts imported.")).toBeVisible({ timeout: 60_000 });
  const reader = await open(follower, { javaScriptEnabled: false });
  await reader.goto("/");
  await expect(reader.getByRole("article")).toHaveCount(5);
  await page.getByRole("link", { name: /^Undo the import/ }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Your import is undone: 5 posts removed.")).toBeVisible({
    timeout: 60_000,
  });
  await reader.goto("/");
  await expect(reader.getByRole("article")).toHaveCount(0);
});

test("the newest of an import are shown to followers on their days, and the choice outlasts a reload", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Nele", secondName: "Newest" });
  const follower = await addMember(postcard, { firstName: "Finn", secondName: "Newest" });
  await follow(postcard, follower, member);
  const page = await open(member, { viewport: phone, expects: /ERR_|Failed to (fetch|load)/ });
  await page.goto("/settings/data/bring");
  const { zip } = await instagramExport();
  await field(page).setInputFiles(zip);
  await page.locator("summary", { hasText: "Who can see it" }).click();
  const newest = page.getByRole("checkbox", { name: /^Show the newest 10 to my followers/ });
  await expect(newest).not.toBeChecked();
  await page.getByRole("radio", { name: /^Only me/ }).check();
  await expect(newest).toBeHidden();
  await page.getByRole("radio", { name: /^Followers/ }).check();
  await newest.check();
  await expectAccessible(page, "posts whose newest are shown to followers");
  await page.route("**/api/uploads", (route) => route.abort());
  await page.getByRole("button", { name: "Bring 5 posts" }).click();
  await expect(page.getByText("Waiting for the connection")).toBeVisible({ timeout: 30_000 });
  await page.unroute("**/api/uploads");
  await page.reload();
  await field(page).setInputFiles(zip);
  await expect(page.getByText("5 of 6 posts imported. 1 was left out.")).toBeVisible({
    timeout: 60_000,
  });
  const reader = await open(follower, { viewport: phone });
  await reader.goto("/");
  const shown = reader.getByRole("article");
  await expect(shown).toHaveCount(5);
  await expect(shown.first()).toContainText("Snow");
  await expect(shown.last()).toContainText("Left at home");
  await reader.goto("/notifications");
  await expect(reader.getByText("Nele")).toHaveCount(0);
});

test("of 20,000 posts only those near the window are in the page, and all of them are chosen", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Mia", secondName: "Many" });
  const page = await open(member, { viewport: phone });
  const photo = (await plainPhoto("teal", 8, 8)).buffer;
  const zip = new ZipFile();
  const first = Date.UTC(2015) / 1000;
  const listed = Array.from({ length: 20_000 }, (_, at) => ({
    title: `Number ${at}`,
    creation_timestamp: first + at * 14_400,
    media: [{ uri: `media/posts/201501/${at}.jpg`, creation_timestamp: first, title: "" }],
  }));
  zip.addBuffer(Buffer.from(JSON.stringify(listed)), "your_instagram_activity/media/posts_1.json");
  for (const { media } of listed) zip.addBuffer(photo, media[0]?.uri ?? "", { compress: false });
  zip.end();
  const bytes = await buffer(zip.outputStream);
  await page.goto("/settings/data/bring");
  await field(page).setInputFiles({ name: "all.zip", mimeType: "application/zip", buffer: bytes });
  await expect(page.getByText(/^20,000 of 20,000 posts, 20,000 photos, /)).toBeVisible({
    timeout: 60_000,
  });
  const tiles = page.locator("[data-place]");
  expect(await tiles.count()).toBeLessThan(1000);
  await page.getByRole("checkbox", { name: /^2016/ }).uncheck();
  await expect(page.getByText(/^17,804 of 20,000 posts, /)).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.getByRole("checkbox", { name: /Number 0$/ })).toBeVisible();
  expect(await tiles.count()).toBeLessThan(1000);
  await expectNoSidewaysScroll(page);
});
