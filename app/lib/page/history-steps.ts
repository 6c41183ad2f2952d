let asked: ((event: PopStateEvent) => void) | undefined;

/**
 * Listens to Back and Forward before the router does: of listeners to the window, the first that came
 * hears first. Called once, before the router is made.
 */
export function listenBeforeRouter(): void {
  window.addEventListener("popstate", (event) => asked?.(event));
}

/** Who may keep a step from the router, by `stopImmediatePropagation`. */
export function interceptHistory(hear: (event: PopStateEvent) => void): void {
  asked = hear;
}
