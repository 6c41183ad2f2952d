import { renderToStaticMarkup } from "react-dom/server";
import { toast, useToaster } from "react-hot-toast/headless";
import { beforeEach, expect, test } from "vitest";
import { Toasts } from "#app/ui/toasts.tsx";

beforeEach(() => toast.remove());

/** The sentences that the host keeps, each with how long it stays. */
function Stays() {
  return useToaster()
    .toasts.map((each) => `${String(each.message)} ${each.duration}`)
    .join(", ");
}

test("a toast lasts 4 seconds, one of success 2", () => {
  toast.error("refused");
  toast("said");
  toast.success("done");
  expect(renderToStaticMarkup(<Stays />)).toBe("done 2000, said 4000, refused 4000");
});

test("at most 20 toasts are shown at once, the newest", () => {
  for (let count = 1; count <= 25; count += 1) toast.error(`sentence ${count}.`);
  const shown = renderToStaticMarkup(<Toasts />);
  expect(shown.match(/<li/g)).toHaveLength(20);
  expect(shown).toContain("sentence 25.");
  expect(shown).not.toContain("sentence 5.");
});
