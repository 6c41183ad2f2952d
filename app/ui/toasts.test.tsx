import { renderToStaticMarkup } from "react-dom/server";
import { toast, useToaster } from "react-hot-toast/headless";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { notify, toastsDrawn, toastsShown } from "#app/lib/toasts.ts";
import { Toasts } from "#app/ui/toasts.tsx";

beforeEach(() => toast.remove());
afterEach(() => vi.useRealTimers());

/** The messages in the host, each with its duration. */
function Stays() {
  return useToaster()
    .toasts.map((each) => `${String(each.message)} ${each.duration}`)
    .join(", ");
}

/** When the newest began, milliseconds. */
function Since() {
  return useToaster().toasts[0]?.createdAt;
}

test("a toast lasts 4 seconds, one of success 2", () => {
  toast.error("refused");
  toast("said");
  toast.success("done");
  expect(renderToStaticMarkup(<Stays />)).toBe("done 2000, said 4000, refused 4000");
});

test("at most 20 toasts are shown at once, the newest", () => {
  for (let count = 1; count <= 25; count += 1) toast.error(`sentence ${count}.`);
  const shown = renderToStaticMarkup(<Toasts onDrawn={toastsDrawn} />);
  expect(shown.match(/<li/g)).toHaveLength(20);
  expect(shown).toContain("sentence 25.");
  expect(shown).not.toContain("sentence 5.");
});

test("the first toast of a page waits until the host is mounted, so that it is visible for its whole time", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  notify.error("seen whole");
  await expect.poll(() => toastsShown.now().loaded).toBe(true);
  vi.setSystemTime(Date.now() + 300);
  expect(renderToStaticMarkup(<Stays />)).toBe("");
  toastsDrawn();
  await expect.poll(() => renderToStaticMarkup(<Stays />)).toBe("seen whole 4000");
  expect(renderToStaticMarkup(<Since />)).toBe(String(Date.now()));
});
