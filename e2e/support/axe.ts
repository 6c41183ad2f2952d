import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, expectNoSidewaysScroll } from "./stories.ts";

/** What axe finds on a page, as rule and HTML. */
export async function axeFinds(page: Page, rules?: string[]): Promise<string[]> {
  // Colours during a change of themes don't count as contrast. What turns for ever is not waited for.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    ),
  );
  // Describing what passed would take a hundred times as many words.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"] });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
}

/** That axe finds nothing in either theme, and nothing is cut at the side. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  for (const theme of ["light", "synthwave"]) {
    await page.evaluate((name) => {
      document.documentElement.dataset["theme"] = name;
    }, theme);
    expect(await axeFinds(page), `${state}, ${theme}`).toEqual([]);
  }
  await expectNoSidewaysScroll(page);
}
