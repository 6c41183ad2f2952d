import type { Page } from "@playwright/test";
import { axeFinds } from "./support/axe.ts";
import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import {
  desktop,
  expect,
  expectAnswered,
  expectNoSidewaysScroll,
  phone,
  test,
} from "./support/stories.ts";

const people = (page: Page) => page.getByRole("region", { name: "People to follow" });
const cards = (page: Page) => people(page).getByRole("listitem");

test("Search begins with photos in three columns, and has people in one row that snaps", async ({
  open,
  postcard,
}) => {
  const joined = Date.now() - 2 * 86_400_000;
  const name = `Rowan${Date.now() % 100_000}`;
  const friend = await addMember(postcard, { firstName: "Middle", secondName: "Friend" });
  const reader = await addMember(postcard, { firstName: "Ex", secondName: "Plorer" });
  await follow(postcard, reader, friend);
  for (const secondName of ["One", "Two", "Three", "Four"]) {
    const writer = await addMember(postcard, { firstName: name, secondName, joined });
    await follow(postcard, friend, writer);
    for (const colour of ["#8c5b3a", "#3a8c6b"]) {
      await post(postcard, writer, { photo: await plainPhoto(colour) });
    }
  }
  for (const viewport of [phone, desktop]) {
    const page = await open(reader, { viewport, reducedMotion: "reduce" });
    await page.goto("/search");
    const photos = page.getByRole("region", { name: "Recent photos" });
    const tops = await photos
      .locator("a:has(img[sizes])")
      .evaluateAll((links) => links.slice(0, 4).map((link) => link.getBoundingClientRect().top));
    expect(new Set(tops.slice(0, 3)).size, "three columns").toBe(1);
    expect(tops[3]).toBeGreaterThan(tops[0] ?? 0);
    // Below two rows of photos, and still in sight.
    await expect(people(page)).toBeInViewport();
    expect((await people(page).boundingBox())?.y).toBeGreaterThan(tops[3] ?? 0);
    const boxes = await cards(page).evaluateAll((all) =>
      all.slice(0, 4).map((card) => {
        const { x, y, width, height } = card.getBoundingClientRect();
        return { x, y, width, height };
      }),
    );
    expect(new Set(boxes.map(({ y }) => y)).size, "one row").toBe(1);
    expect(boxes[0]).toMatchObject({ width: 150, height: 200 });
    // Wherever one lets go, the edge of a card is where the photos begin, unless it is the end.
    const row = people(page).getByRole("list");
    await row.evaluate((list) => list.scrollBy({ left: 70, behavior: "instant" }));
    const away = () =>
      row.evaluate((list) => {
        const padding = parseFloat(getComputedStyle(list).scrollPaddingLeft);
        const start = list.getBoundingClientRect().left + padding;
        const edges = [...list.children].map((card) => card.getBoundingClientRect().left - start);
        const end = list.scrollLeft >= list.scrollWidth - list.clientWidth - 1;
        return end ? 0 : Math.min(...edges.map(Math.abs));
      });
    await expect.poll(away).toBeLessThan(2);
    expect(await axeFinds(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
  }
});

test("the row of people is reached and scrolled by keyboard, and Follow and × work in it", async ({
  open,
  postcard,
}) => {
  const joined = Date.now() - 2 * 86_400_000;
  const name = `Keyes${Date.now() % 100_000}`;
  const friend = await addMember(postcard, { firstName: "Common", secondName: "Friend" });
  const reader = await addMember(postcard, { firstName: "Key", secondName: "Board" });
  await follow(postcard, reader, friend);
  for (const secondName of ["One", "Two", "Three", "Four", "Five"]) {
    const writer = await addMember(postcard, { firstName: name, secondName, joined });
    await follow(postcard, friend, writer);
    await post(postcard, writer, { photo: await plainPhoto("#555577") });
  }
  const page = await open(reader, { reducedMotion: "reduce" });
  await page.goto("/search");
  const mine = cards(page).filter({ hasText: name });
  await expect(mine).toHaveCount(5);
  await expect(mine.first()).toContainText("Followed by Common Friend");
  const last = mine.last();
  await expect(last).not.toBeInViewport({ ratio: 1 });
  await mine.first().getByRole("link").focus();
  const inLast = () => last.evaluate((card) => card.contains(document.activeElement));
  for (let presses = 0; presses < 30 && !(await inLast()); presses += 1) {
    await page.keyboard.press("Tab");
  }
  expect(await inLast()).toBe(true);
  await expect(last).toBeInViewport({ ratio: 1 });
  await last.getByRole("button", { name: "Follow", exact: true }).press("Enter");
  await expect(last.getByRole("button", { name: "Following" })).toBeVisible();
  await expectAnswered(page);
  await mine
    .first()
    .getByRole("button", { name: /Don't suggest/ })
    .press("Enter");
  await expect(mine).toHaveCount(4);
  await expectAnswered(page);
  await page.reload();
  await expect(mine).toHaveCount(3);

  const plain = await open(reader, { javaScriptEnabled: false });
  await plain.goto("/search");
  const first = cards(plain).filter({ hasText: name }).first();
  await first.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(plain).toHaveURL("/search");
  await expect(cards(plain).filter({ hasText: name })).toHaveCount(2);
});

test("a hashtag says how many posts it has, and begins a post with it beside a draft", async ({
  open,
  postcard,
}) => {
  const tag = `garden${Date.now() % 1_000_000}x`;
  const writer = await addMember(postcard, { firstName: "Gar", secondName: "Dener" });
  const hidden = await addMember(postcard, { firstName: "Pri", secondName: "Vate" });
  for (let number = 1; number <= 3; number += 1) {
    await post(postcard, writer, { caption: `Bed ${number} #${tag}` });
  }
  await post(postcard, hidden, { caption: `Behind the hedge #${tag}` });
  const compose = (page: Page) => page.getByRole("link", { name: `Post with #${tag}` });
  const address = `/search?q=%23${tag}`;
  for (const javaScriptEnabled of [true, false]) {
    const visitor = await open(null, { javaScriptEnabled });
    await visitor.goto(address);
    await expect(visitor.getByText("4 posts", { exact: true })).toBeVisible();
  }
  // Whom one blocked does not count.
  await fetch(`${postcard}/api/blocks/${hidden.id}`, {
    method: "PUT",
    headers: { Origin: postcard, cookie: writer.cookie },
  });
  const page = await open(writer);
  await page.goto("/upload");
  const caption = page.getByLabel("Write a Caption");
  await caption.fill("Half a thought");
  // It is stored when the composer has it again.
  await expect(async () => {
    await page.reload();
    await expect(caption).toHaveValue("Half a thought", { timeout: 1000 });
  }).toPass();
  await page.goto(address);
  await expect(page.getByText("3 posts", { exact: true })).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
  await compose(page).click();
  await expect(caption).toHaveValue(`#${tag} `);
  // The tag alone is no draft; the other one waits.
  await expect(page.getByText("One more draft is kept here.")).toBeVisible();
  await page.goto("/upload");
  await expect(caption).toHaveValue("Half a thought");
  await expect(page.getByText("kept here")).toHaveCount(0);

  const plain = await open(writer, { javaScriptEnabled: false });
  await plain.goto(address);
  await compose(plain).click();
  await expect(plain.getByLabel("Write a Caption")).toHaveValue(`#${tag} `);
  await plain.goto("/upload?tag=buy%20my%20coins");
  await expect(plain.getByLabel("Write a Caption")).toHaveValue("");

  await page.goto(`/search?q=%23none${tag}`);
  await expect(page.getByText("Yours would be the first one here.")).toBeVisible();
  await page.getByRole("link", { name: `Post with #none${tag}` }).click();
  await expect(caption).toHaveValue(`#none${tag} `);
});
