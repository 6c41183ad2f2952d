import { useLocation } from "react-router";
import * as words from "#messages/shell.json";
import { matchesExactly } from "#app/features/shell/matches-exactly.ts";
import {
  moderation,
  operator,
  sidebarItems,
  upload,
  type NavigationItem,
} from "#app/features/shell/navigation-items.ts";
import { SignOutButton } from "#app/features/shell/sign-out.tsx";
import { useRootData } from "#app/lib/page/root-data.ts";
import { useSignInLink } from "#app/features/shell/sign-in-link.ts";
import { SignInIcon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";
import { NavLink } from "#app/ui/nav-link.tsx";
import { Stamp, Wordmark } from "#app/ui/stamp.tsx";

const row =
  "flex min-h-12 items-center justify-center gap-4 rounded-field px-3 hover:bg-base-200 lg:justify-start";
const label = "sr-only lg:not-sr-only";

/** From md on: icons only, with their names from lg on. */
export function Sidebar({ viewerId }: { viewerId: string | null }) {
  const signIn = useSignInLink();
  const data = useRootData();
  return (
    <nav
      aria-label={words.main}
      className="sidebar fixed inset-y-0 start-0 z-30 hidden w-18 flex-col overflow-y-auto border-e border-line bg-ground p-3 md:flex lg:w-60 lg:p-4"
    >
      <Link
        to="/"
        aria-label="Postcard"
        className="mb-4 flex min-h-14 items-center justify-center gap-3 rounded-field px-3 lg:justify-start"
      >
        <Stamp className="w-7 shrink-0" />
        <Wordmark className="hidden text-2xl lg:inline" />
      </Link>
      <ul className="flex grow flex-col gap-1">
        {[
          ...sidebarItems,
          ...(data?.moderator ? [moderation] : []),
          ...(data?.operator ? [operator] : []),
        ].map((item) => (
          <li key={item.to}>
            <SidebarLink {...item} viewerId={viewerId} />
          </li>
        ))}
        {viewerId !== null ? (
          <>
            {/* In the specification's order; on the screen it is at the bottom, apart from the others. */}
            <li className="order-last mt-auto">
              <SignOutButton className={`${row} w-full`} labelClassName={label} />
            </li>
            <li className="mt-3">
              <SidebarLink {...upload} viewerId={viewerId} prominent />
            </li>
          </>
        ) : (
          <li className="mt-3">
            <SidebarLink
              to={signIn}
              label={words.signIn}
              icon={SignInIcon}
              viewerId={viewerId}
              prominent
            />
          </li>
        )}
      </ul>
    </nav>
  );
}

function SidebarLink({
  to,
  label: name,
  icon: ItemIcon,
  viewerId,
  prominent = false,
}: NavigationItem & { viewerId: string | null; prominent?: boolean }) {
  const { pathname } = useLocation();
  const prominentRow = "btn btn-primary min-h-12 w-full justify-center gap-3 px-3";
  return (
    <NavLink
      to={to}
      end={matchesExactly(to, pathname, viewerId)}
      title={name}
      className={({ isActive }) =>
        prominent
          ? prominentRow
          : `${row} ${isActive ? "bg-base-300 font-semibold hover:bg-base-300" : ""}`
      }
    >
      {({ isActive }) => (
        <>
          <ItemIcon
            weight={isActive ? "fill" : "regular"}
            className={`size-6 shrink-0 ${isActive && !prominent ? "text-primary" : ""}`}
            aria-hidden
          />
          <span className={label}>{name}</span>
        </>
      )}
    </NavLink>
  );
}
