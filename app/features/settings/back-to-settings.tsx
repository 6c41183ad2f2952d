import { Link } from "react-router";
import { CaretLeftIcon } from "#app/ui/icons.ts";

/** Above the title of a page that Settings leads to. */
export function BackToSettings() {
  return (
    <Link
      to="/settings"
      className="mx-4 mt-2 -mb-3 inline-flex min-h-11 items-center gap-1 text-sm text-muted md:mx-0 md:mt-0"
    >
      <CaretLeftIcon className="size-4" aria-hidden />
      Settings
    </Link>
  );
}
