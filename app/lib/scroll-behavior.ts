/** How a script may scroll: smoothly, unless less motion was asked for. Browser only. */
export function scrollBehavior(): ScrollBehavior {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}
