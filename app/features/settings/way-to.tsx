import { Link } from "react-router";
import { CaretRightIcon } from "#app/ui/icons.ts";

type Props = { to: string; label: string; /** what is found there */ children: string };

/** A row of Settings that leads to a page of its own. */
export function WayTo({ to, label, children }: Props) {
  return (
    <Link
      to={to}
      className="mx-4 flex min-h-16 items-center justify-between gap-6 rounded-box border border-line px-4 py-3 hover:bg-base-200 md:mx-0"
    >
      <span>
        <span className="font-medium">{label}</span>
        <span className="block text-sm text-muted">{children}</span>
      </span>
      <CaretRightIcon className="size-5 shrink-0 text-muted" aria-hidden />
    </Link>
  );
}
