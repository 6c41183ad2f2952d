import type { BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import type { Camera } from "./camera.ts";
import type { Oddities } from "./oddities.ts";
import type { Staged } from "./town.ts";

export type Tour = {
  url: string;
  camera: Camera;
  staged: Staged;
  /** null if only the frequent screens are wanted */
  oddities: Oddities | null;
  /** an account of the demo town with a full history */
  resident: { email: string; password: string };
  browse: (options?: BrowserContextOptions) => Promise<BrowserContext>;
};

/** One screen after another; those that can't be reached are listed at the end and stop nothing. */
export function guide(page: Page, camera: Camera, missed: string[]) {
  return async (name: string, go: () => Promise<unknown>, options?: { whole?: boolean }) => {
    try {
      await go();
      await camera.shoot(page, name, options);
    } catch (error) {
      missed.push(`${name}: ${(error as Error).message.split("\n", 1)[0]}`);
    }
  };
}

export async function pageOf(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const { goto } = page;
  page.goto = async (...args) => {
    const answer = await goto.apply(page, args);
    const alive = 'html[data-alive], html:not(:has(script[type="module"]))';
    await page.locator(alive).waitFor({ state: "attached" });
    return answer;
  };
  return page;
}

export const press = (page: Page, name: string | RegExp, exact = true) =>
  page.locator("main, dialog").getByRole("button", { name, exact }).first().click();

export async function signInByForm(page: Page, who: Tour["resident"], url: string): Promise<void> {
  await page.goto("/signIn");
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await press(page, "Sign In");
  await press(page, "OK");
  await page.waitForURL(`${url}/`);
}
