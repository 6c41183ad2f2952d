import type { Page } from "@playwright/test";
import { limits } from "#shared/limits.ts";
import { cleanText } from "#shared/text.ts";
import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

const family = "👨‍👩‍👧‍👦";
const names = [
  { firstName: "<script>document.title='owned'</script>", secondName: "" },
  { firstName: "ليلى", secondName: "الحسن" },
  { firstName: "Wolfeschlegelsteinhausenbergerdorff", secondName: "Donaudampf" },
  { firstName: "Ze\u200bro\u200dWidth", secondName: `${family.repeat(6)} \u202Eedo\u202C` },
];
const captions = [
  `<script>document.title='owned'</script><img src=x onerror="document.title='owned'">`,
  "صباح الخير من المدينة القديمة، القهوة جاهزة والشمس دافئة على الجدران.",
  `${"Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz".repeat(8)} ${"https://example.org/".repeat(20)}`,
  `${family.repeat(40)} a\u0301\u0323${"\u0300".repeat(60)} \u202Eright to left\u202C "quoted' & &amp; \\u0041 {{7*7}}`,
];

test("odd names and captions are shown as they are and break nothing", async ({
  open,
  postcard,
}) => {
  const reader = await addMember(postcard, { firstName: "Plain", secondName: "Reader" });
  const photo = await plainPhoto("#556677", 600, 700);
  const paths: string[] = [];
  const members = [];
  for (const [index, named] of names.entries()) {
    const member = await addMember(postcard, named);
    members.push(member);
    const caption = captions[index] ?? "";
    paths.push(await post(postcard, member, { caption }));
    paths.push(await post(postcard, member, { caption, alt: caption.slice(0, 900), photo }));
    await follow(postcard, reader, member);
    await follow(postcard, member, reader);
  }
  const screens = [
    "/",
    `/search?q=${encodeURIComponent("<script>")}`,
    `/search?q=${"W".repeat(300)}`,
    `/profile/followers/${reader.id}`,
    ...members.map(({ id }, index) => `/search/${id}${index % 2 ? "?tab=texts" : ""}`),
    ...paths,
  ];
  for (const viewport of [phone, desktop]) {
    const page = await open(reader, { viewport });
    for (const path of viewport === phone ? screens : screens.slice(0, 4)) {
      await page.goto(path);
      await expectNoSidewaysScroll(page);
      expect(await page.title(), path).not.toBe("owned");
    }
    await page.goto("/");
    for (const caption of captions) {
      // An address is a link of its own, shortened on screen; long runs of marks are split.
      const [words = ""] = cleanText(caption).split(" https://");
      await expect(page.getByText(words).first()).toBeAttached();
    }
    await expect(page.locator("main script, main img[src=x]")).toHaveCount(0);
    // Right-to-left text aligns itself, whatever is around it.
    const arabic = page.getByRole("article").getByText("صباح الخير").first();
    expect(await arabic.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
  }
});

test("a long caption folds after three lines and unfolds in place", async ({ open, postcard }) => {
  const writer = await addMember(postcard, { firstName: "Long", secondName: "Winded" });
  const reader = await addMember(postcard, { firstName: "Brief", secondName: "Reader" });
  const caption = "One sentence after another, and none of them in a hurry. ".repeat(12).trim();
  await post(postcard, writer, { caption, photo: await plainPhoto("#998877", 900, 600) });
  await follow(postcard, reader, writer);
  const page = await open(reader);
  await page.goto("/");
  const text = page.getByText(caption);
  const folded = await text.evaluate((element) => element.clientHeight);
  await page.getByRole("link", { name: "more of this caption" }).click();
  await expect(page).toHaveURL("/");
  const whole = await text.evaluate((element) => element.clientHeight);
  expect(whole).toBeGreaterThan(folded * 2);
  await expect(page.getByRole("link", { name: "more of this caption" })).toHaveCount(0);
});

const typed = [
  `"'><script>document.title='owned'</script><img src=x onerror="document.title='owned'">`,
  // of a word that is nobody's name: invisible characters are left out of a search
  "\u202Eقطيفة\u202C \u0000\u200b\u2060\u200d",
  "W".repeat(10_000),
  family.repeat(60),
  "one\ntwo\r\n\n\n\nthree {{7*7}} %00 \\u0041",
];
/** What a single-line field keeps of it: no NUL can be typed. */
const inOneLine = (text: string) => text.replaceAll(/[\0\r\n]/g, "");

/** Sends a plain form, and waits until its answer is shown: the fields before it look the same. */
async function send(page: Page, name: string): Promise<void> {
  const answered = page.waitForEvent("load");
  await page.getByRole("button", { name, exact: true }).click();
  await answered;
}

test("odd words come back in the fields of every form as they were typed, and no form breaks", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Odd", secondName: "Typist" });
  // The server renders the fields again, without scripts.
  const expects = /status of 4\d\d/;
  const visitor = await open(null, { javaScriptEnabled: false, expects });
  const page = await open(member, { javaScriptEnabled: false, expects });
  const unbroken = async (shown: typeof page, text: string) => {
    await expectNoSidewaysScroll(shown);
    expect(await shown.title(), text.slice(0, 60)).not.toBe("owned");
    await expect(shown.locator("main script, main img[src=x]")).toHaveCount(0);
  };
  for (const text of typed) {
    const line = inOneLine(text);
    await visitor.goto("/signUp");
    for (const name of ["First name", "Second name", "Email"]) {
      await visitor.getByLabel(name).fill(line);
    }
    await visitor.getByRole("main").getByRole("button", { name: "Sign Up" }).click();
    await expect(visitor.getByText("required*").first()).toBeVisible();
    for (const name of ["First name", "Second name", "Email"]) {
      await expect(visitor.getByLabel(name)).toHaveValue(line.trim());
    }
    await unbroken(visitor, text);

    await visitor.goto("/signIn");
    await visitor.getByLabel("Email").fill(line);
    await visitor.getByLabel("Password", { exact: true }).fill(line);
    await visitor.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
    await expect(visitor.getByText("Wrong password or email")).toBeVisible();
    await expect(visitor.getByLabel("Email")).toHaveValue(line.trim());
    await unbroken(visitor, text);

    await visitor.goto("/search");
    await visitor.getByRole("searchbox").fill(line);
    await visitor.getByRole("searchbox").press("Enter");
    await expect(visitor.getByText("No one found")).toBeVisible();
    await expect(visitor.getByRole("searchbox")).toHaveValue(line);
    await unbroken(visitor, text);

    await page.goto("/upload");
    await page.getByLabel("Write a Caption").fill(text.repeat(text.length < 1000 ? 50 : 1));
    await page.getByLabel("Describe the photo").fill(line);
    await send(page, "Post");
    await unbroken(page, text);

    await page.goto("/settings?change=username");
    await page.getByRole("textbox", { name: "Username" }).fill(line);
    await send(page, "Change username");
    await expect(page.getByRole("textbox", { name: "Username" })).toHaveValue(line.trim());
    await unbroken(page, text);
  }
});

test("odd words in an address get their own page and break nothing", async ({ open }) => {
  const page = await open(null, { expects: /status of 4(?:00|04|14)/ });
  const answered = new Set<number>();
  for (const text of [...typed, family.repeat(20)]) {
    const odd = encodeURIComponent([...text].slice(0, 400).join(""));
    for (const path of [`/post/${odd}/1`, `/post/somebody/${odd}`, `/search/${odd}`, `/${odd}`]) {
      const status = (await page.goto(path))?.status() ?? 0;
      answered.add(status);
      expect(status, path).toBe(path.length > limits.address.pathBytes ? 414 : 404);
      await expectNoSidewaysScroll(page);
      expect(await page.title(), path).not.toBe("owned");
    }
    expect((await page.goto(`/search?q=${odd}&cursor=${odd}`))?.status()).toBe(400);
    await expectNoSidewaysScroll(page);
  }
  expect(answered).toEqual(new Set([404, 414]));
});

test("an address that is too long says so on a readable page, with a way on", async ({ open }) => {
  for (const viewport of [phone, desktop]) {
    const page = await open(null, { viewport, expects: /status of 414/ });
    await page.goto(`/search/${encodeURIComponent(family.repeat(60))}`);
    await expect(page.getByText("This address is too long")).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
});
