import { scrollBehavior } from "#app/lib/page/scroll-behavior.ts";

/** The name a post's photo has on its page, and while a card becomes that page. */
const name = "photo";

/**
 * Makes `change`, and lets the photo move from the one element to the other, where the browser can and
 * nobody asked for less motion.
 */
export function morph(from: HTMLElement, to: HTMLElement, change: () => void): void {
  const still = scrollBehavior() !== "smooth";
  // Not in every browser yet.
  if (still || typeof Reflect.get(document, "startViewTransition") !== "function") return change();
  from.style.viewTransitionName = name;
  const transition = document.startViewTransition(() => {
    from.style.viewTransitionName = "none";
    to.style.viewTransitionName = name;
    change();
  });
  void transition.finished.finally(() => {
    to.style.viewTransitionName = "";
  });
}
