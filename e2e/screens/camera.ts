import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";

export type Camera = {
  /** The screen as it is now, in both themes. */
  shoot: (page: Page, name: string, options?: { whole?: boolean }) => Promise<void>;
};

/** WebP: small text stays readable, photographs may suffer. */
const quality = 55;

/** Takes a page in both themes, `<name>-<width>-<theme>.webp` in `folder`. */
export function openCamera(folder: string, wanted: (name: string) => boolean): Camera {
  return {
    shoot: async (page, name, { whole = false } = {}) => {
      if (!wanted(name)) return;
      await settle(page);
      const { width = 0, height = 0 } = page.viewportSize() ?? {};
      // A window as high as the page: a bar at its bottom stays there.
      if (whole) await page.setViewportSize({ width, height: await heightOf(page) });
      const chosen = await page.evaluate(() => document.documentElement.dataset["theme"]);
      for (const theme of ["light", "synthwave"]) {
        await wear(page, theme);
        const screenshot = await page.screenshot({ animations: "disabled" });
        const small = await sharp(screenshot).webp({ quality, effort: 6 }).toBuffer();
        await writeFile(join(folder, `${name}-${width}-${theme}.webp`), small);
      }
      await wear(page, chosen ?? "light");
      if (whole) await page.setViewportSize({ width, height });
    },
  };
}

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);

/** A theme is an attribute of the document and nothing else: no load, no lost state. */
async function wear(page: Page, theme: string): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset["theme"] = name;
  }, theme);
}

/** Visible photos have loaded, fonts too, and nothing is appearing or disappearing. */
async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const inSight = [...document.images].filter((image) => {
      const { top, bottom } = image.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight;
    });
    return document.fonts.status === "loaded" && inSight.every((image) => image.complete);
  });
  // Complete is not yet decoded: a picture would be grey in the first theme.
  await page.evaluate(() =>
    Promise.all(
      [...document.images].map((image) => image.complete && image.decode().catch(() => null)),
    ),
  );
  await page.waitForTimeout(400);
}
