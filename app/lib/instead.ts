import type { MouseEvent, SyntheticEvent } from "react";

type Press = Pick<MouseEvent, "button" | "metaKey" | "ctrlKey" | "shiftKey" | "altKey">;
type Act = SyntheticEvent & Partial<Press>;

/**
 * What a script does instead of following a link or sending a form, which work without scripts, too. Modified
 * clicks open a link in a new tab, or save it, as ever.
 */
export function instead<On extends Act>(does: (event: On) => unknown) {
  return (event: On): void => {
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void does(event);
  };
}
