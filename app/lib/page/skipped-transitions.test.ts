import { afterEach, expect, test, vi } from "vitest";
import { ignoreSkippedTransitions } from "#app/lib/page/skipped-transitions.ts";

afterEach(() => vi.unstubAllGlobals());

test("a skipped animation leaves no failure behind, and the page still changes", async () => {
  const left: unknown[] = [];
  const note = (reason: unknown) => left.push(reason);
  process.on("unhandledRejection", note);
  const page = {
    startViewTransition(update: () => void) {
      update();
      return { ready: Promise.reject(new Error("Transition was skipped")), by: this };
    },
  };
  vi.stubGlobal("document", page);
  ignoreSkippedTransitions();
  const update = vi.fn<() => void>();
  const transition = page.startViewTransition(update);
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off("unhandledRejection", note);
  expect(update).toHaveBeenCalledOnce();
  expect(transition.by).toBe(page);
  await expect(transition.ready).rejects.toThrow("Transition was skipped");
  expect(left).toEqual([]);
});

test("a browser without view transitions stays without", () => {
  const page = {};
  vi.stubGlobal("document", page);
  ignoreSkippedTransitions();
  expect(page).toEqual({});
});
