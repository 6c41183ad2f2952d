import type { KeyboardEvent } from "react";

/**
 * Arrow keys move from the field through the found accounts and back; Enter opens one, as on every link.
 * Escape moves back to the field, and there `onEscape` empties it. Wrap both in the element that gets this.
 */
export function useResultKeys(onEscape: () => void) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    const { key, currentTarget, target, nativeEvent } = event;
    // Keys that an input method uses to compose a character are its own.
    if (nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const field = currentTarget.querySelector<HTMLInputElement>('input[type="search"]');
    // Not the link below a Follow button, which signs up.
    const results = [...currentTarget.querySelectorAll<HTMLAnchorElement>("li > a[href]")];
    const at = results.findIndex((link) => link === target);
    const inField = target === field;
    if (!inField && at === -1) return;

    if (key === "ArrowDown") results[at + 1]?.focus();
    else if (key === "ArrowUp" && !inField) (results[at - 1] ?? field)?.focus();
    else if (key === "Escape" && inField) onEscape();
    else if (key === "Escape") field?.focus();
    else return;
    event.preventDefault();
  };
}
