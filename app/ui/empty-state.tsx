import type { ReactNode } from "react";
import drawings from "#app/ui/drawings.svg?url";

type EmptyStateProps = {
  /** the heading */
  title: string;
  /**
   * The drawing above it, of app/ui/drawings.svg: no mail, no match, no bookmarks, nothing delivered,
   * nothing written, nothing for your eyes.
   */
  drawing?: "mailbox" | "lens" | "box" | "plane" | "card" | "sealed";
  children?: ReactNode;
  /** what to do about it */
  action?: ReactNode;
  /** the heading is the page's only one */
  heading?: boolean;
};

/** A friendly message for an empty page or list. */
export function EmptyState(props: EmptyStateProps) {
  const { title, drawing = "plane", children, action, heading = false } = props;
  const Line = heading ? "h1" : "p";
  return (
    <div className="flex flex-col items-center gap-4 px-6 py-16 text-center">
      {/* One file for all of them, drawn in the theme's colours: fill, stroke and currentColor. */}
      <svg aria-hidden="true" className="h-30 w-40 fill-primary stroke-danger text-muted">
        <use href={`${drawings}#${drawing}`} />
      </svg>
      <Line className="font-wordmark text-3xl text-balance">{title}</Line>
      {children && <div className="max-w-sm text-pretty text-muted">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}
