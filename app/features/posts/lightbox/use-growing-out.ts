import { useEffect, useEffectEvent, type RefObject } from "react";
import type { Gestures } from "#app/features/posts/lightbox/gestures.ts";
import { enterOverlay, quitOverlay } from "#app/features/posts/lightbox/overlay-history.ts";
import { scrollBehavior } from "#app/lib/page/scroll-behavior.ts";

type Grown = {
  dialog: RefObject<HTMLDialogElement | null>;
  image: RefObject<HTMLImageElement | null>;
  gestures: RefObject<Gestures | null>;
  index: number;
  /** to another post, instead of back to the page */
  onward: RefObject<(() => void) | null>;
};

/** Opens the dialog: the photo grows out of the pressed element, and goes back there on Back. */
export function useGrowingOut(
  opener: HTMLElement,
  { dialog, image, gestures, index, onward }: Grown,
): void {
  const open = useEffectEvent(() => {
    const shown = dialog.current;
    if (!shown || !image.current) return;
    morph(frameOf(opener), image.current, () => {
      if (!shown.open) shown.showModal();
      gestures.current?.refit();
    });
  });
  const close = useEffectEvent(() => {
    if (onward.current) return onward.current();
    const back = openerOf(opener, index);
    if (!image.current) return;
    morph(image.current, frameOf(opener), () => {
      const row = back.closest("ul");
      const slide = back.closest("li");
      if (row && slide) row.scrollTo({ left: slide.offsetLeft, behavior: "instant" });
      dialog.current?.close();
      back.focus({ preventScroll: true });
    });
  });
  useEffect(() => {
    enterOverlay(() => close());
    open();
    return quitOverlay;
  }, []);
}

/** Its frame on the page. */
const frameOf = (opener: HTMLElement) =>
  opener.closest<HTMLElement>("[data-photo-frame]") ?? opener;

/** The link of the current photo on the page. */
function openerOf(opener: HTMLElement, index: number): HTMLElement {
  const slides = frameOf(opener).querySelectorAll<HTMLElement>("li > a");
  return slides[index] ?? opener;
}

/** The view transition name of a post's photo on its page, and while a card becomes that page. */
const name = "photo";

/**
 * Runs `change`, and animates the photo from one element to the other, where the browser supports it and
 * reduced motion is off.
 */
function morph(from: HTMLElement, to: HTMLElement, change: () => void): void {
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
