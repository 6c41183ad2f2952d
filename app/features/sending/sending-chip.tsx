import type { ReactNode } from "react";

/** How something on its way stands, above the bar. */
export const SendingChip = ({ label, children }: { label: string; children: ReactNode }) => (
  <section aria-label={label} className="toasts pointer-events-none fixed z-30 no-print">
    <div className="pointer-events-auto mx-auto flex w-fit max-w-[350px] min-w-64 items-center gap-3 rounded-box border border-line bg-base-100 py-1.5 ps-3 pe-1.5 text-sm shadow-lg motion-appear md:mx-0">
      {children}
    </div>
  </section>
);
