import { useId, type ReactNode } from "react";
import { CaretRightIcon, CheckCircleIcon, type Icon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";

/** Rows that belong together, on one card. */
export function SettingsGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="px-4 font-semibold md:px-0">
        {title}
      </h2>
      <ul className="mx-4 overflow-hidden rounded-box border border-line bg-base-100 md:mx-0">
        {children}
      </ul>
    </section>
  );
}

type RowProps = {
  to: string;
  icon: Icon;
  label: string;
  /** the current value: "Off", "2", an address */
  state?: ReactNode;
  /** it is set up as recommended */
  good?: boolean;
  hint?: ReactNode;
  /** the text of the link; a caret by default */
  action?: string | undefined;
  danger?: boolean;
};

/** The current state of one setting, linked to its page; the whole row is the link. */
export function SettingsRow(row: RowProps) {
  const { to, icon: RowIcon, label, state, good = false, hint, action, danger = false } = row;
  const link = "before:absolute before:inset-0";
  return (
    // The last line hides under the card's edge.
    <li className="relative -mb-px flex min-h-16 items-center gap-4 border-b border-line px-4 py-3 has-[a:hover]:bg-base-200">
      <RowIcon className="size-6 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0 grow">
        <p className={`font-medium ${danger ? "text-danger" : ""}`}>
          {action ? (
            label
          ) : (
            <Link to={to} className={link}>
              {label}
            </Link>
          )}
        </p>
        {state ? (
          <p className="flex items-center gap-1 text-sm wrap-anywhere">
            {good ? (
              <CheckCircleIcon weight="fill" className="size-4 shrink-0 text-primary" aria-hidden />
            ) : null}
            <span className="min-w-0">{state}</span>
          </p>
        ) : null}
        {hint ? <p className="text-sm text-pretty text-muted">{hint}</p> : null}
      </div>
      {action ? (
        <Link
          to={to}
          preventScrollReset
          className={`shrink-0 text-sm font-semibold text-primary ${link}`}
        >
          {action}
          <span className="sr-only"> {label}</span>
        </Link>
      ) : (
        <CaretRightIcon className="size-5 shrink-0 text-muted rtl:-scale-x-100" aria-hidden />
      )}
    </li>
  );
}
