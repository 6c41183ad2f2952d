import type { Page } from "@playwright/test";

/**
 * How much moved on this document since it was opened or last asked about: the sum of Chromium's layout
 * shifts, a number without a unit (https://web.dev/articles/cls), those after a press included.
 */
export const shiftsOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const counted = globalThis as { shiftsSeen?: number };
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as { value?: number }).value ?? 0;
        });
        observer.observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() =>
          setTimeout(() => {
            observer.disconnect();
            resolve(sum - (counted.shiftsSeen ?? 0));
            counted.shiftsSeen = sum;
          }),
        );
      }),
  );
