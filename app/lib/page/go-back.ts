import type { MouseEvent } from "react";

/**
 * Follows a link back to where one came from, which restores the scroll position there, if the entry before
 * this one in the tab's history is a page of ours; else the link leads where it says.
 */
export function goBack(event: MouseEvent): void {
  const { history, navigation } = window as Partial<Window> & { history: History };
  // Browsers without `navigation` tell only of the entries that this document made.
  if (!(navigation ? navigation.canGoBack : history.state?.idx)) return;
  event.preventDefault();
  history.back();
}
