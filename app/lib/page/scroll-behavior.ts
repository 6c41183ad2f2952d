/** How a script may scroll: smoothly, unless less motion was asked for. Browser only. */
export function scrollBehavior(): ScrollBehavior {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}

/** To the top of the page, where reading goes on. Browser only. */
export function goUp(): void {
  window.scrollTo({ top: 0, behavior: scrollBehavior() });
  document.querySelector<HTMLElement>("#page")?.focus({ preventScroll: true });
}
