import { Outlet } from "react-router";
import * as words from "#messages/operator.json";
import { operatorPage } from "#app/features/operator/operator.server.ts";
import { NavLink } from "#app/ui/nav-link.tsx";
import type { Route } from "./+types/operator-panes";

const sections = [
  ["/operator", words.overview],
  ["/operator/people", words.people],
  ["/operator/invitations", words.invitations],
  ["/operator/place", words.about],
  ["/operator/log", words.log],
] as const;

export async function loader({ context }: Route.LoaderArgs) {
  operatorPage(context);
  return null;
}

/** The frame of the operator's pages: the list of them above, on a desktop at the left. */
export default function OperatorPanes() {
  return (
    <div
      data-desk=""
      className="lg:mx-auto lg:grid lg:max-w-[983px] lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-14 lg:p-6"
    >
      <nav aria-label={words.operator}>
        <ul className="flex flex-wrap gap-1 px-2 pt-4 max-[22.4rem]:gap-x-0 md:max-lg:pb-4 text-sm sm:text-base md:px-0 lg:sticky lg:top-6 lg:grid lg:pt-0">
          {sections.map(([to, label]) => (
            <li key={to}>
              <NavLink
                to={to}
                end={to === "/operator"}
                className={({ isActive }) =>
                  `flex min-h-11 items-center rounded-field px-2 max-[22.4rem]:px-1 ${isActive ? "bg-base-300 font-semibold" : "hover:bg-base-200"}`
                }
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">
        <Outlet />
      </div>
    </div>
  );
}
