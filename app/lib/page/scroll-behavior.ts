/** How a script may scroll: smoothly, unless reduced motion is on. Browser only. */
export function scrollBehavior(): ScrollBehavior {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}

/**
 * To the top of the page, where reading goes on. Instantly: reloaded content changes heights on the way,
 * and a browser then stops a smooth scroll, wherever it is. Browser only.
 */
export function scrollToTop(): void {
  window.scrollTo({ top: 0, behavior: "instant" });
  document.querySelector<HTMLElement>("#page")?.focus({ preventScroll: true });
}
