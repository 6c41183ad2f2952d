import type { ReactNode } from "react";
import { Stamp } from "#app/ui/stamp.tsx";

type EmptyStateProps = {
  /** the big line */
  title: string;
  children?: ReactNode;
  /** what to do about it */
  action?: ReactNode;
  /** the line is the page's only heading */
  heading?: boolean;
};

/** Nothing here yet, said kindly. */
export function EmptyState({ title, children, action, heading = false }: EmptyStateProps) {
  const Line = heading ? "h1" : "p";
  return (
    <div className="flex flex-col items-center gap-4 px-6 py-16 text-center">
      <Stamp className="w-14 -rotate-6 opacity-90" />
      <Line className="font-wordmark text-2xl text-balance">{title}</Line>
      {children ? <div className="max-w-sm text-pretty text-muted">{children}</div> : null}
      {action ? <div className="mt-2">{action}</div> : null}
    </div>
  );
}
