import type { ShouldRevalidateFunctionArgs } from "react-router";

/** A route's shouldRevalidate: the new member is not redirected before the dialog was read. */
export function untilDialogIsRead({
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return actionResult?.signedIn === true ? false : defaultShouldRevalidate;
}
