import { useLocation } from "react-router";
import * as words from "#messages/shell.json";
import { matchesExactly } from "#app/features/shell/matches-exactly.ts";
import { bottomBarItems } from "#app/features/shell/navigation-items.ts";
import { NavLink } from "#app/ui/nav-link.tsx";

/** Small screens: exactly four links, within reach of a thumb. */
export function BottomBar({ viewerId }: { viewerId: string | null }) {
  const { pathname } = useLocation();
  return (
    <nav
      aria-label={words.main}
      className="bottom-bar fixed inset-x-0 bottom-0 z-30 border-t border-line bg-ground pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="grid h-14 grid-cols-4">
        {bottomBarItems.map(({ to, label, icon: ItemIcon }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={matchesExactly(to, pathname, viewerId)}
              aria-label={label}
              className={({ isActive }) =>
                `grid h-14 place-items-center -outline-offset-2 ${isActive ? "text-primary" : ""}`
              }
            >
              {({ isActive }) => (
                <ItemIcon weight={isActive ? "fill" : "regular"} className="size-7" aria-hidden />
              )}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
