import type { ShouldRevalidateFunctionArgs } from "react-router";

/** A route's shouldRevalidate: the member just made is not sent away before the dialog was read. */
export function untilDialogIsRead({
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return actionResult?.signedIn === true ? false : defaultShouldRevalidate;
}
