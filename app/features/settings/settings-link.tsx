import { Link } from "react-router";
import { CaretRightIcon, type Icon } from "#app/ui/icons.ts";

type Props = { to: string; icon: Icon; label: string; hint: string };

/** A row that leads to a screen of its own; the whole row is the link. */
export function SettingsLink({ to, icon: RowIcon, label, hint }: Props) {
  return (
    <div className="relative mx-4 flex min-h-16 items-center gap-4 rounded-box border border-line bg-base-100 px-4 py-3 has-[a:hover]:bg-base-200 md:mx-0">
      <RowIcon className="size-6 shrink-0 text-muted" aria-hidden />
      <div className="grow">
        <Link to={to} className="font-medium before:absolute before:inset-0">
          {label}
        </Link>
        <p className="text-sm text-muted">{hint}</p>
      </div>
      <CaretRightIcon className="size-5 shrink-0 text-muted" aria-hidden />
    </div>
  );
}
