import type { ReactNode } from "react";
import { CaretLeftIcon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";

type Props = {
  to: string;
  /** on a desktop, its target is shown beside the page */
  besides?: boolean;
  children: ReactNode;
};

/** Above a page's title: the parent page. */
export function BackLink({ to, besides = false, children }: Props) {
  return (
    <Link
      to={to}
      className={`mx-4 mt-2 -mb-3 inline-flex min-h-11 items-center gap-1 text-sm text-muted hover:text-base-content md:mx-0 md:mt-0 md:mb-0 ${
        besides ? "lg:hidden" : ""
      }`}
    >
      <CaretLeftIcon className="size-4 rtl:-scale-x-100" aria-hidden />
      {children}
    </Link>
  );
}
