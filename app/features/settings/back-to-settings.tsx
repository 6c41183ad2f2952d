import { Link } from "react-router";
import { CaretLeftIcon } from "#app/ui/icons.ts";

/** Above every screen that stands behind Settings. */
export function BackToSettings() {
  return (
    <Link
      to="/settings"
      className="mx-4 mt-2 -mb-3 inline-flex min-h-11 items-center gap-1 text-sm text-muted hover:text-base-content md:mx-0 md:mt-0 md:mb-0"
    >
      <CaretLeftIcon className="size-4" aria-hidden />
      Settings
    </Link>
  );
}
