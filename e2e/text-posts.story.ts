import { addMember, follow, post } from "./support/members.ts";
import { desktop, expect, phone, test } from "./support/stories.ts";

const words = {
  short: "Tea, mostly. And rain.",
  middling:
    "The ferry was late, so we walked the whole harbour wall and back, and counted the boats.",
  long: "Eleven boats, and the twelfth had a goose on it that nobody had ordered. ".repeat(4),
};

test("text posts are cards: on a phone the author has one line below the words, on a desktop the side of a postcard", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, {
    firstName: "Kahurangi",
    secondName: "Te Whatu-Ngārimu",
  });
  const reader = await addMember(postcard, { firstName: "Card", secondName: "Reader" });
  await follow(postcard, reader, writer);
  for (const caption of Object.values(words)) await post(postcard, writer, { caption });
  const path = `/post/${writer.username}/1`;

  for (const [viewport, pixels] of [
    [phone, { short: 30, middling: 24, long: 20 }],
    [desktop, { short: 34, middling: 28, long: 22 }],
  ] as const) {
    const page = await open(reader, { viewport, isMobile: viewport === phone });
    await page.goto("/");
    for (const [kind, size] of Object.entries(pixels) as [keyof typeof words, number][]) {
      const text = page.getByText(words[kind].trim());
      await expect(text).toHaveCSS("font-size", `${size}px`);
      const card = page.getByRole("article").filter({ has: text });
      const name = card.getByRole("link", { name: writer.name, exact: true });
      await expect(name).toHaveCount(1);
      await expect(card.getByText(`@${writer.username}`)).toHaveCount(0);
      const [by, all] = [
        (await card.locator(".text-by").boundingBox())!,
        (await card.locator(".text-card").boundingBox())!,
      ];
      // Not cut, in one line.
      const cut = await name.evaluate((link) => link.scrollHeight - link.clientHeight);
      expect(cut).toBe(0);
      if (viewport === phone) {
        expect((await name.boundingBox())!.height).toBeLessThan(30);
        expect([by.width, by.height]).toEqual([phone.width, 49]);
        expect(by.y + by.height).toBeCloseTo(all.y + all.height, 0);
        expect((await text.boundingBox())!.width).toBe(phone.width - 32);
      } else {
        expect(all.width / all.height).toBeCloseTo(3 / 2, 2);
        expect(by.x + by.width).toBeCloseTo(all.x + all.width, 0);
      }
    }
    // On its own page its author is named once, too.
    await page.goto(path);
    await expect(page.getByText(words.short)).toBeVisible();
    await expect(page.getByRole("article").getByText(writer.name, { exact: true })).toHaveCount(1);
  }
});

test("on a desktop a long text is whole on its own page", async ({ open, postcard }) => {
  const writer = await addMember(postcard, { firstName: "Long", secondName: "Letter" });
  const path = await post(postcard, writer, { caption: words.long.repeat(3) });
  const page = await open(writer, { viewport: desktop });
  await page.goto(path);
  const card = (await page.locator(".text-card").boundingBox())!;
  const text = (await page.getByText(words.long.trim()).boundingBox())!;
  expect(text.height).toBeGreaterThan(400);
  expect(card.y).toBeLessThanOrEqual(text.y);
  expect(card.y + card.height).toBeGreaterThanOrEqual(text.y + text.height);
});
