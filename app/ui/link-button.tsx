import type { KeyboardEvent, ReactNode } from "react";
import { instead } from "#app/lib/instead.ts";

type Props = {
  /** its target without scripts, or in a new tab */
  href: string;
  onPress: (button: HTMLElement) => void;
  "aria-label": string;
  title: string;
  className: string;
  children: ReactNode;
};

/**
 * A button that is a link until scripts run. It is the same element before and after hydration: nothing is
 * replaced while one watches, or has the focus on it.
 */
export function LinkButton({ href, onPress, children, ...attributes }: Props) {
  // A link reacts to Enter only, a button to the space bar as well.
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.key !== " ") return;
    event.preventDefault();
    if (!event.repeat) onPress(event.currentTarget);
  }
  return (
    <a
      {...attributes}
      href={href}
      role="button"
      onKeyDown={onKeyDown}
      onClick={instead((event) => onPress(event.currentTarget))}
    >
      {children}
    </a>
  );
}
