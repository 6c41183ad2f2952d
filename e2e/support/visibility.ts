import type { Page } from "@playwright/test";

/** Lets a page believe that it is hidden, or visible again: headless pages are always visible. */
export function setVisibility(page: Page, state: "hidden" | "visible"): Promise<void> {
  return page.evaluate((now) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => now });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}
