import { follow, post, signUp } from "./support/members.ts";
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
  const reader = await signUp(postcard, { firstName: "Plain", secondName: "Reader" });
  const photo = await plainPhoto("#556677", 600, 700);
  const paths: string[] = [];
  const members = [];
  for (const [index, named] of names.entries()) {
    const member = await signUp(postcard, named);
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
      await expect(page.getByText(caption.normalize("NFC")).first()).toBeAttached();
    }
    await expect(page.locator("main script, main img[src=x]")).toHaveCount(0);
    // Right-to-left text aligns itself, whatever stands around it.
    const arabic = page.getByRole("article").getByText("صباح الخير").first();
    expect(await arabic.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
  }
});

test("a long caption folds after three lines and unfolds in place", async ({ open, postcard }) => {
  const writer = await signUp(postcard, { firstName: "Long", secondName: "Winded" });
  const reader = await signUp(postcard, { firstName: "Brief", secondName: "Reader" });
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
