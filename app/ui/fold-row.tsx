import type { ComponentProps, ReactNode } from "react";
import { CaretRightIcon } from "#app/ui/icons.ts";

/** The look of a row of choices in a form, also of one that is a select. */
export const rowClass = "flex min-h-12 items-center gap-x-2 px-4 md:px-5";

/** Rows one below the other, as wide as their card; each has a line above it. From md on the button's row has the last. */
export const rowsClass = "-mx-4 border-line max-md:border-b md:-mx-5";

type Props = Pick<ComponentProps<"details">, "open" | "onToggle"> & {
  label: string;
  /** what is chosen */
  value: ReactNode;
  children: ReactNode;
};

/** A row of a form: what is chosen, at its end. It opens its fields below it, without scripts too. */
export function FoldRow({ label, value, children, ...details }: Props) {
  return (
    <details {...details} className="group border-t border-line">
      <summary
        className={`${rowClass} cursor-pointer list-none -outline-offset-2 [&::-webkit-details-marker]:hidden`}
      >
        <span className="grow">{label}</span>
        <span className="text-end text-muted">{value}</span>
        <RowCaret className="transition-transform group-open:rotate-90 rtl:group-open:-rotate-90" />
      </summary>
      <div className="px-4 pt-1 pb-4 md:px-5">{children}</div>
    </details>
  );
}

export const RowCaret = ({ className = "" }: { className?: string }) => (
  <CaretRightIcon
    className={`size-4 shrink-0 text-muted rtl:-scale-x-100 ${className}`}
    aria-hidden
  />
);
