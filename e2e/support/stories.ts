import {
  test as base,
  expect,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  type Request,
} from "@playwright/test";
import { addMember, enter, type Member } from "./members.ts";
import { startPostcard } from "./postcard-server.ts";

type Entered = BrowserContextOptions & { theme?: "light" | "synthwave" };

type Opened = Entered & {
  /** errors that the browser may log in this story, such as an answer that the story breaks */
  expects?: RegExp;
  /** The story is about the time before the scripts took over, or about scripts that never do. */
  beforeScripts?: boolean;
  /** It is about somebody who has not done anything yet. */
  untouched?: boolean;
};

type Stories = {
  /** A new browser, of a member or of a visitor. Errors that it logs fail the story. */
  open: (who: Member | null, options?: Opened) => Promise<Page>;
};

type Servers = {
  running: { url: string; databaseUrl: string };
  /** where the product runs: the server that `npm test` started, else this worker's own */
  postcard: string;
};

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 900 };

/** A browser of a member or of a visitor, at the server of this address. */
export async function enterAs(
  browser: Browser,
  url: string,
  who: Member | null,
  { theme, ...options }: Entered = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: phone,
    // Stories of the service worker turn it on; requests that other stories answer themselves would
    // bypass them.
    serviceWorkers: "block",
    ...options,
  });
  if (who) await enter(context, url, who);
  if (theme) await context.addCookies([{ name: "theme", value: theme, url }]);
  return context;
}

export const test = base.extend<Stories, Servers>({
  running: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const { POSTCARD_URL: url, POSTCARD_DATABASE_URL: databaseUrl = "" } = process.env;
      if (url) {
        await settle(url);
        return use({ url, databaseUrl });
      }
      const server = await startPostcard();
      await settle(server.url);
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  postcard: [({ running }, use) => use(running.url), { scope: "worker" }],

  open: async ({ browser, postcard }, use) => {
    const complaints: string[] = [];
    const contexts: BrowserContext[] = [];
    await use(async (who, { expects, beforeScripts, untouched, ...options } = {}) => {
      const context = await enterAs(browser, postcard, who, options);
      contexts.push(context);
      const waits = !beforeScripts && options.javaScriptEnabled !== false;
      context.on("page", (page) => {
        noteCalls(page);
        if (waits) actOnlyWhenAlive(page, untouched !== true);
      });
      const page = await context.newPage();
      const note = (text: string, source = "") => {
        if (!expects?.test(text)) complaints.push(`${page.url()}: ${text} ${source}`);
      };
      // Violations of the content security policy and failed hydrations arrive here too.
      page.on("console", (message) => {
        if (message.type() === "error") note(message.text(), message.location().url);
      });
      page.on("pageerror", (error) => note(error.message));
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(complaints, "what the browsers complained of").toEqual([]);
  },
});

export { expect };

/** A document of ours that its scripts have not taken over yet; they are loaded after its first frame. */
const asleep = 'html:not([data-alive]):has(script:is([type="module"], [type="later"]))';

/** Interactive, but without the scripts that load at the first interaction. */
const untouchedPage = "html[data-alive]:not([data-acted])";

/**
 * Before the scripts have taken over, a click is a plain submit and a key does nothing: everything a story
 * does waits for them, after each load of a document, however it came about. `moves`: the user interacts, so
 * the scripts for that are loaded as well.
 */
function actOnlyWhenAlive(page: Page, moves: boolean): void {
  const alive = async () => {
    await expect(page.locator(asleep)).toHaveCount(0);
    if (!moves) return;
    await page.evaluate(() => document.dispatchEvent(new Event("pointermove")));
    await expect(page.locator(untouchedPage)).toHaveCount(0);
  };
  // Clicks, fills and expectations wait for it; keys and what a story evaluates do not.
  page.addLocatorHandler(page.locator(asleep), alive).catch((error: unknown) => {
    // a popup may close itself before anything looks at it
    if (!page.isClosed()) throw error;
  });
  const { goto, reload } = page;
  page.goto = async (...args) => {
    const answer = await goto.apply(page, args);
    await alive();
    return answer;
  };
  page.reload = async (...args) => {
    const answer = await reload.apply(page, args);
    await alive();
    return answer;
  };
}

const callsUnderWay = new WeakMap<Page, Set<Request>>();

function noteCalls(page: Page): void {
  const calls = new Set<Request>();
  callsUnderWay.set(page, calls);
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(?:api(?!\/events)|calls)\//.test(pathname)) calls.add(request);
  });
  page.on("requestfinished", (request) => calls.delete(request));
  page.on("requestfailed", (request) => calls.delete(request));
}

/** Every call that this page sent is answered, and no other followed: what is shown is saved. */
export async function expectAnswered(page: Page): Promise<void> {
  const underWay = () => callsUnderWay.get(page)?.size;
  await expect(async () => {
    expect(underWay()).toBe(0);
    // A last click that had to wait for the previous one has been sent when a later request is answered.
    await page.evaluate(async () => {
      await fetch("/robots.txt").catch(() => null);
    });
    expect(underWay()).toBe(0);
  }).toPass();
}

/** Three people live there: the first days of a place have a story of their own. */
async function settle(url: string): Promise<void> {
  // Long ago: on a place's first day everybody's photos are on its front page.
  const joined = Date.now() - 30 * 86_400_000;
  for (const secondName of ["One", "Two", "Three"]) {
    await addMember(url, { firstName: "Resident", secondName, joined });
  }
}

/** Wider than the window means that something breaks the layout. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${page.url()} is wider than the window`).toBeLessThanOrEqual(0);
}
