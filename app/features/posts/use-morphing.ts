import { useViewTransitionState } from "react-router";

/**
 * The class of a photo in a list that links to its post at `to`: during the navigation the browser animates
 * the photo to its new position. The post's own page has the same name.
 */
export function useMorphing(to: string): string {
  return useViewTransitionState(to) ? "[view-transition-name:photo]" : "";
}
