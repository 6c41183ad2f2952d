import type { ReactNode } from "react";
import drawings from "#app/ui/drawings.svg?url";

type EmptyStateProps = {
  /** the big line */
  title: string;
  /**
   * What stands above it, of app/ui/drawings.svg: no mail, no match, nothing kept, nothing on its way,
   * nothing written.
   */
  drawing?: "mailbox" | "lens" | "box" | "plane" | "card";
  children?: ReactNode;
  /** what to do about it */
  action?: ReactNode;
  /** the line is the page's only heading */
  heading?: boolean;
};

/** Nothing here yet, said kindly. */
export function EmptyState(props: EmptyStateProps) {
  const { title, drawing = "plane", children, action, heading = false } = props;
  const Line = heading ? "h1" : "p";
  return (
    <div className="flex flex-col items-center gap-4 px-6 py-16 text-center">
      {/* One file for all of them, drawn in the theme's colours: fill, stroke and currentColor. */}
      <svg aria-hidden="true" className="h-30 fill-primary stroke-danger text-muted">
        <use href={`${drawings}#${drawing}`} />
      </svg>
      <Line className="font-wordmark text-3xl text-balance">{title}</Line>
      {children && <div className="max-w-sm text-pretty text-muted">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}
