/** How a script may scroll: smoothly, unless less motion was asked for. Browser only. */
export function scrollBehavior(): ScrollBehavior {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}

/**
 * To the top of the page, where reading goes on. At once: what was read anew changes heights on the way, and a
 * browser gives up a smooth way then, wherever it is. Browser only.
 */
export function scrollToTop(): void {
  window.scrollTo({ top: 0, behavior: "instant" });
  document.querySelector<HTMLElement>("#page")?.focus({ preventScroll: true });
}
