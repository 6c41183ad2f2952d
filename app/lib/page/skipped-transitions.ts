/**
 * A view transition that is interrupted, say by Back, is skipped: the new page is shown without the
 * animation. Browsers also reject its `ready`, which React Router leaves unhandled, so that every skipped
 * animation would count as an error of the page. The other promises still report the change itself. Called
 * once, before anything navigates.
 */
export function ignoreSkippedTransitions(): void {
  // Not in every browser yet.
  const start: unknown = Reflect.get(document, "startViewTransition");
  if (typeof start !== "function") return;
  document.startViewTransition = (update) => {
    const transition = start.call(document, update) as ViewTransition;
    transition.ready.catch(() => undefined);
    return transition;
  };
}
