import type { ReactNode } from "react";

/** The one h1 of a page. */
export function PageTitle({ children, hidden = false }: { children: ReactNode; hidden?: boolean }) {
  return (
    <h1 className={hidden ? "sr-only" : "px-4 pt-5 pb-3 text-xl font-semibold md:px-0 md:pt-0"}>
      {children}
    </h1>
  );
}
