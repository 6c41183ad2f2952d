import { useId, type ReactNode } from "react";
import { DotsThreeIcon } from "#app/ui/icons.ts";

type Props = {
  label: string;
  title: string;
  className?: string;
  /** before it is shown */
  onOpen?: () => void;
  children: ReactNode;
};

/** The look of an entry. */
export const menuEntry = "flex min-h-11 w-full items-center px-4 text-start hover:bg-base-200";

/**
 * Actions behind three dots. The browser's own popover: it opens without scripts, closes on Escape and
 * outside presses, and gives the focus back.
 */
export function Menu({ label, title, className = "", onOpen, children }: Props) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={label}
        title={title}
        className={`grid size-11 shrink-0 place-items-center rounded-full text-muted hover:bg-base-content/8 hover:text-base-content ${className}`}
      >
        <DotsThreeIcon className="size-6" aria-hidden />
      </button>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        id={id}
        popover="auto"
        onBeforeToggle={onOpen}
        onClick={(event) => event.currentTarget.hidePopover()}
        className="w-max max-w-72 min-w-52 rounded-box border border-line bg-base-100 py-1 text-base-content shadow-lg beside-its-button"
      >
        {children}
      </div>
    </>
  );
}
