import { useViewTransitionState } from "react-router";

/**
 * The class of a photo in a list that leads to its post at `to`: while one changes into the other
 * the browser moves the photo from place to place. The post's own page carries the same name.
 */
export function useMorphing(to: string): string {
  return useViewTransitionState(to) ? "[view-transition-name:photo]" : "";
}
