import { useEffect, useEffectEvent, type RefObject } from "react";
import type { Gestures } from "#app/features/posts/lightbox/gestures.ts";
import { morph } from "#app/features/posts/lightbox/morph.ts";
import { enterOverlay, quitOverlay } from "#app/features/posts/lightbox/overlay-history.ts";

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
