import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { Link, type LinkProps } from "#app/ui/link.tsx";

type Active = { isActive: boolean };

type NavLinkProps = Omit<LinkProps, "className" | "children"> & {
  /** active on this very page alone, not on those below it */
  end?: boolean;
  className: string | ((active: Active) => string);
  children: ReactNode | ((active: Active) => ReactNode);
};

/** A link that knows whether it leads to where one is. */
export function NavLink({ to, end = false, className, children, ...rest }: NavLinkProps) {
  const here = useLocation().pathname.toLowerCase();
  const path = (to.split(/[?#]/, 1)[0] ?? "").toLowerCase();
  const isActive = here === path || (!end && here.startsWith(`${path}/`));
  return (
    <Link
      {...rest}
      to={to}
      aria-current={isActive ? "page" : undefined}
      className={typeof className === "function" ? className({ isActive }) : className}
    >
      {typeof children === "function" ? children({ isActive }) : children}
    </Link>
  );
}
