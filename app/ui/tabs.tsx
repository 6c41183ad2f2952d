import type { ReactNode } from "react";
import type { Icon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";

type Tab = { to: string; label: string; count?: string; icon?: Icon; current: boolean };

type TabsProps = {
  /** what the tabs choose between, for screen readers */
  label: string;
  tabs: Tab[];
};

/** Tabs that are links: they work without scripts and can be shared. */
export function Tabs({ label, tabs }: TabsProps): ReactNode {
  return (
    <nav aria-label={label} className="flex border-b border-line">
      {tabs.map(({ to, label, count, icon: TabIcon, current }) => (
        <Link
          key={to}
          to={to}
          replace
          preventScrollReset
          aria-current={current ? "page" : undefined}
          className={`-mb-px flex min-h-12 flex-1 items-center justify-center gap-2 border-b-2 px-1 text-sm font-medium ${
            current
              ? "border-primary text-base-content forced-colors:border-[Highlight]"
              : "border-transparent text-muted hover:text-base-content forced-colors:border-[Canvas]"
          }`}
        >
          {TabIcon ? (
            <TabIcon weight={current ? "fill" : "regular"} className="size-5" aria-hidden />
          ) : null}
          <span>
            {label}
            {count ? (
              <>
                {/* Read aloud: "Photos, 12". */}
                <span className="sr-only">,</span>{" "}
                <span className="ms-0.5 font-normal text-muted">{count}</span>
              </>
            ) : null}
          </span>
        </Link>
      ))}
    </nav>
  );
}
