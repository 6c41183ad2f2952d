import { scrollBehavior } from "#app/lib/page/scroll-behavior.ts";

/** The view transition name of a post's photo on its page, and while a card becomes that page. */
const name = "photo";

/**
 * Runs `change`, and animates the photo from one element to the other, where the browser supports it and
 * reduced motion is off.
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
