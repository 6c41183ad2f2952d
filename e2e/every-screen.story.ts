import type { Page } from "@playwright/test";
import { axeFinds } from "./support/axe.ts";
import { openScreen, stageEveryScreen, type Screens, type Viewer } from "./support/every-screen.ts";
import { shiftsOf } from "./support/layout-shift.ts";
import { textFaults } from "./support/legible.ts";
import { expect, phone, test } from "./support/stories.ts";

/*
 * Each screen is loaded once, as on a phone. There its letters become twice as large, then the window as
 * narrow as the narrowest phone (WCAG 1.4.4 and 1.4.10), and then the phone is turned.
 */
test.describe.configure({ mode: "serial", timeout: 600_000 });

const narrow = { width: 320, height: 640 };
const sideways = { width: 844, height: 390 };
const smallSideways = { width: 667, height: 375 };

const letters = (page: Page, percent: number) =>
  page.evaluate((size) => {
    document.documentElement.style.fontSize = `${size}%`;
    // Who needs large letters has them when a page loads: here it looks again.
    window.dispatchEvent(new Event("resize"));
  }, percent);

/** What is wrong there; each line begins with the state it was found in. */
async function faultsOf(page: Page, address: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (state: string, options?: Parameters<typeof textFaults>[1]) => {
    const faults = await textFaults(page, options);
    found.push(...faults.map((fault) => `${address} ${state}: ${fault}`));
  };
  await letters(page, 200);
  await look("at 200 %");
  found.push(...(await axeFinds(page)).map((find) => `${address} at 200 %: ${find}`));
  await page.setViewportSize(narrow);
  await look("at 200 % and 320 px");
  await letters(page, 100);
  await look("at 320 px", { excerpts: true });
  for (const size of [sideways, smallSideways]) {
    await page.setViewportSize(size);
    await look(`${size.width} × ${size.height}`, { large: false });
  }
  await page.setViewportSize(phone);
  return found;
}

let screens: Screens;
test.beforeAll(async ({ postcard }) => {
  screens = await stageEveryScreen(postcard);
});

for (const viewer of ["visitor", "member", "operator"] as const satisfies Viewer[]) {
  test(`with letters twice as large, and sideways, no screen of a ${viewer} cuts or covers words`, async ({
    open,
  }) => {
    const { reader, operator, of } = screens;
    const who = { visitor: null, member: reader, operator }[viewer];
    const page = await open(who, { reducedMotion: "reduce", expects: /status of 4\d\d/ });
    const found: string[] = [];
    for (const address of of[viewer]) {
      await openScreen(page, address);
      const moved = await shiftsOf(page);
      if (moved > 0.02) found.push(`${address} moves by ${moved} as it loads`);
      found.push(...(await faultsOf(page, address)));
    }
    expect(found.join("\n")).toBe("");
  });
}

test("on a phone held sideways a photo has the window", async ({ open }) => {
  const { reader, of } = screens;
  const page = await open(reader, { viewport: sideways });
  for (const address of ["/", of.member[0] ?? ""]) {
    await page.goto(address);
    // Twice as high as wide: only the window bounds it.
    const frame = page.locator("[data-photo-frame]").first();
    await frame.scrollIntoViewIfNeeded();
    const height = await frame.evaluate((box) => box.querySelector("svg")?.clientHeight ?? 0);
    expect(height, address).toBeCloseTo(sideways.height - 24, -1);
  }
});

test("on paper a post is black on white, in the dark theme too", async ({ open }) => {
  const { reader, of } = screens;
  const page = await open(reader, { theme: "synthwave" });
  for (const address of of.member.slice(0, 2)) {
    await page.goto(address);
    await page.emulateMedia({ media: "print" });
    const colours = await page.locator("body, main, main article, main p").evaluateAll((all) =>
      all.map((element) => {
        const { color, backgroundColor } = getComputedStyle(element);
        return `${color} on ${backgroundColor}`;
      }),
    );
    expect(colours).toContain("rgb(0, 0, 0) on rgb(255, 255, 255)");
    expect(
      colours.filter((each) => !/on rgb(?:a\(0, 0, 0, 0|\(255, 255, 255)\)$/.test(each)),
    ).toEqual([]);
    await page.emulateMedia({ media: null });
  }
});

test("on a narrow phone held sideways the header and the four ways share one row", async ({
  open,
}) => {
  const { reader, of } = screens;
  for (const who of [reader, null]) {
    for (const viewport of [smallSideways, { width: 568, height: 320 }]) {
      const page = await open(who, { viewport });
      for (const address of ["/search", of.member[0] ?? ""]) {
        await page.goto(address);
        const boxes = await page
          .locator(".bottom-bar a, header.bar :is(a, button):visible")
          .evaluateAll((all) =>
            all.map((each) => {
              const { left, right, top, bottom } = each.getBoundingClientRect();
              return { left, right, top, bottom };
            }),
          );
        expect(boxes.length).toBeGreaterThan(6);
        const sorted = boxes.toSorted((one, other) => one.left - other.left);
        for (const [index, box] of sorted.entries()) {
          expect(box.bottom).toBeLessThan(60);
          const next = sorted[index + 1];
          if (next) expect(box.right, address).toBeLessThanOrEqual(next.left + 1);
        }
      }
    }
  }
});

test("what these stories look for, they find", async ({ open }) => {
  const page = await open(null);
  await page.goto("/signIn");
  const broken: [string, string, RegExp][] = [
    ["width: 80px; overflow: hidden; white-space: nowrap", "Cut in its line", /^cut: Cut in/],
    ["width: 90px; height: 20px; overflow: hidden", "Lines of which one is seen", /^cut: Lines/],
    ["width: 30px", "Considerable", /^broken word: Considerable/],
    ["display: block; width: 30px; white-space: nowrap", "Much too long", /^runs out of/],
    ["width: 120vw; height: 9px", "", /^scrolls sideways/],
    ["position: fixed; inset: 0 0 auto; height: 99px", "Bar", /^bars on one another/],
    ["position: fixed; inset: 0; height: 100dvh", "Bar", /^bars cover/],
  ];
  expect(await textFaults(page)).toEqual([]);
  // Only where one scrolls does a bar cover something.
  await page.evaluate(() => {
    document.body.style.minHeight = "300vh";
  });
  for (const [style, words, fault] of broken) {
    await page.evaluate(
      ([css, text]) => {
        document.querySelector("#broken")?.remove();
        const element = document.createElement("button");
        Object.assign(element, { id: "broken", textContent: text });
        element.style.cssText = css;
        document.querySelector("main")?.prepend(element);
      },
      [style, words] as const,
    );
    expect(await textFaults(page)).toContainEqual(expect.stringMatching(fault));
  }
  await page.evaluate(() => {
    const back = '<a href="/"><svg><use href="#CaretLeft"></use></svg>Back</a>';
    const select = '<span><select id="unmarked"><option>One</option></select></span>';
    const nav = "<nav id=low>Links</nav>";
    document.querySelector("main")?.insertAdjacentHTML("afterbegin", back + back + select + nav);
    document.querySelector<HTMLElement>("#unmarked")?.style.setProperty("appearance", "none");
    Object.assign(document.querySelector<HTMLElement>("#low")?.style ?? {}, {
      height: "9px",
      overflow: "auto",
    });
  });
  const found = await textFaults(page);
  expect(found).toContainEqual(expect.stringMatching(/^two ways back/));
  expect(found).toContainEqual(expect.stringMatching(/^opens without a mark/));
  expect(found).toContainEqual(expect.stringMatching(/^scrolls inside itself/));
});
