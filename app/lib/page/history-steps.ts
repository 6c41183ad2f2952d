let intercept: ((event: PopStateEvent) => void) | undefined;

/**
 * Listens to Back and Forward before the router does: listeners of the window are called in order. Called
 * once, before the router is created.
 */
export function listenBeforeRouter(): void {
  window.addEventListener("popstate", (event) => intercept?.(event));
}

/** Listeners that may hide a step from the router, by `stopImmediatePropagation`. */
export function interceptHistory(listener: (event: PopStateEvent) => void): void {
  intercept = listener;
}
