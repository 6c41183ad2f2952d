import { useId, type ReactNode } from "react";
import { CaretRightIcon, CheckCircleIcon, WarningCircleIcon } from "#app/ui/icons.ts";

/** A section of an operator's page, on one card. */
export function Section(props: { id?: string; title: string; children: ReactNode }) {
  const { id, title, children } = props;
  const titleId = useId();
  return (
    <section id={id} aria-labelledby={titleId} className="grid scroll-mt-16 gap-2">
      <h2 id={titleId} className="px-4 font-semibold md:px-0">
        {title}
      </h2>
      <div className="mx-4 grid gap-3 card p-4 md:mx-0">{children}</div>
    </section>
  );
}

/** A row that opens what it is about; it works without scripts, too. Without content it is a row only. */
export function Disclosure(props: {
  label: string;
  hint: string;
  open?: boolean;
  children?: ReactNode;
}) {
  const { label, hint, open = false, children } = props;
  const row = (
    <span className="min-w-0 flex-1">
      <span className="block font-medium">{label}</span>
      <span className="block text-sm text-pretty text-muted">{hint}</span>
    </span>
  );
  if (!children) {
    return <div className="flex min-h-12 items-center border-b border-line py-3">{row}</div>;
  }
  return (
    <details open={open} className="group border-b border-line last:border-b-0">
      <summary className="flex min-h-12 cursor-pointer list-none items-center gap-3 py-3">
        {row}
        <CaretRightIcon
          className="size-5 shrink-0 text-muted group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:-rotate-90"
          aria-hidden
        />
      </summary>
      <div className="pb-4">{children}</div>
    </details>
  );
}

type Fact = readonly [name: string, value: ReactNode, dir?: "ltr"];

/** Names and values, a line each; empty ones are left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-2">
      {facts.map(
        ([name, value, dir]) =>
          value !== "" && (
            <div key={name} className="flex flex-wrap gap-x-3">
              <dt className="text-muted">{name}</dt>
              <dd dir={dir} className="ms-auto min-w-0 text-end wrap-anywhere">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A row of a list that shows at a glance whether it is good. */
export function StatusRow({ good, children }: { good: boolean; children: ReactNode }) {
  return (
    <li className="flex gap-3 border-b border-line py-2 last:border-b-0">
      {good ? (
        <CheckCircleIcon weight="fill" className="size-5 shrink-0 text-primary" aria-hidden />
      ) : (
        <WarningCircleIcon className="size-5 shrink-0 text-danger" aria-hidden />
      )}
      <div className="min-w-0 flex-1 wrap-anywhere">{children}</div>
    </li>
  );
}
