/**
 * A view transition that is overtaken, say by Back, is skipped: the new page stands there without
 * the animation. Browsers also reject its `ready`, which React Router leaves to nobody, so that
 * every skipped animation would count as a failure of the page. What the transition was to show
 * arrives by its other promises. Called once, before anything navigates.
 */
export function letTransitionsBeSkipped(): void {
  // Not in every browser yet.
  const start: unknown = Reflect.get(document, "startViewTransition");
  if (typeof start !== "function") return;
  document.startViewTransition = (update) => {
    const transition = start.call(document, update) as ViewTransition;
    transition.ready.catch(() => undefined);
    return transition;
  };
}
