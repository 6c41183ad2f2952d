import { useLocation } from "react-router";
import type { Unread } from "#shared/live.ts";
import type { AccountSummary } from "#shared/views.ts";
import * as words from "#messages/shell.json";
import { menuItems } from "#app/features/shell/navigation-items.ts";
import { useSignInLink } from "#app/features/shell/sign-in-link.ts";
import { SignOutButton } from "#app/features/shell/sign-out.tsx";
import { goBack } from "#app/lib/page/go-back.ts";
import { useSignUpOpen } from "#app/lib/page/root-data.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { BellIcon, CaretLeftIcon, ChatCircleIcon, GearSixIcon, type Icon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";
import { NavLink } from "#app/ui/nav-link.tsx";
import { Stamp, Wordmark } from "#app/ui/stamp.tsx";

/**
 * What one opens from a list: a post, its likes, somebody's profile, who follows, a hashtag. Pages about a post have
 * their own way back.
 */
const opened = /^\/(post\/[^/]+\/\d+(\/likes)?(\?|$)|search\/|profile\/f)|q=%23/i;

/**
 * Above the page on small screens; from md on only bell and messages, in the row of the page's heading
 * (styles/desktop.css).
 */
export function Header({ viewer, unread }: { viewer: AccountSummary | null; unread: Unread }) {
  const { pathname, search } = useLocation();
  const leadsBack = opened.test(pathname + search);
  return (
    <header
      className={`bar sticky top-0 z-20 border-b border-line bg-ground print:hidden ${viewer ? "tools" : "md:hidden"}`}
    >
      <div className="mx-auto flex min-h-14 flex-wrap items-center justify-end gap-1 px-2">
        <Link
          to="/"
          onClick={leadsBack ? goBack : undefined}
          aria-label={leadsBack ? words.back : "Postcard"}
          className="me-auto flex min-h-11 min-w-11 items-center gap-2 rounded-field px-2 md:hidden"
        >
          {leadsBack ? (
            <CaretLeftIcon className="size-7 rtl:-scale-x-100" aria-hidden />
          ) : (
            <>
              <Stamp className="w-6" />
              {/* a visitor's two links need the space on a phone; the front page has one of them below */}
              <Wordmark
                className={`text-[1.375rem] ${viewer || pathname === "/" ? "" : "max-sm:sr-only"}`}
              />
            </>
          )}
        </Link>
        {viewer ? <MemberTools viewer={viewer} unread={unread} /> : <VisitorTools />}
      </div>
    </header>
  );
}

function MemberTools({ viewer, unread }: { viewer: AccountSummary; unread: Unread }) {
  return (
    <>
      <HeaderLink
        to="/notifications"
        label={words.notifications}
        icon={BellIcon}
        count={unread.notifications}
      />
      <HeaderLink to="/chat" label={words.messages} icon={ChatCircleIcon} count={unread.messages} />
      <button
        type="button"
        popoverTarget="account-menu"
        aria-label={words.yourMenu}
        className="grid size-11 place-items-center rounded-full md:hidden"
      >
        <Avatar name={viewer.name} image={viewer.avatar} size="sm" priority />
      </button>
      <AccountMenu viewer={viewer} />
    </>
  );
}

const row = "flex min-h-12 w-full items-center gap-3 px-4 hover:bg-base-200";

/** The browser's own popover: it opens and closes without scripts, on Escape and outside presses. */
function AccountMenu({ viewer }: { viewer: AccountSummary }) {
  return (
    <div
      id="account-menu"
      popover="auto"
      className="fixed inset-x-auto start-auto end-2 top-14 m-0 w-60 rounded-box border border-line bg-base-100 py-1 text-base-content shadow-lg"
    >
      <p dir="auto" className="truncate border-b border-line px-4 py-3 font-semibold">
        {viewer.name}
      </p>
      {menuItems.map(({ to, label, icon: ItemIcon }) => (
        <NavLink key={to} to={to} className={row} onClick={closeMenu}>
          <ItemIcon className="size-5" aria-hidden />
          {label}
        </NavLink>
      ))}
      <SignOutButton className={row} iconClassName="size-5" onPress={closeMenu} />
    </div>
  );
}

const closeMenu = () => document.querySelector<HTMLElement>("#account-menu")?.hidePopover();

function VisitorTools() {
  const signIn = useSignInLink();
  const signUp = signIn.replace("/signIn", "/signUp");
  const signUpOpen = useSignUpOpen();
  const { pathname } = useLocation();
  return (
    <>
      <HeaderLink to="/settings" label={words.settings} icon={GearSixIcon} />
      <Link to={signIn} className="btn px-2 btn-ghost">
        {words.signIn}
      </Link>
      {signUpOpen && pathname !== "/" && (
        <NavLink
          to={signUp}
          className="btn px-2 leading-tight btn-primary max-[22.4rem]:w-28 aria-[current]:hidden"
        >
          {words.createAccount}
        </NavLink>
      )}
    </>
  );
}

type HeaderLinkProps = { to: string; label: string; icon: Icon; count?: number };

/** With the unread count in its corner: 99 means 99 and more. */
function HeaderLink({ to, label, icon: ItemIcon, count = 0 }: HeaderLinkProps) {
  return (
    <NavLink
      to={to}
      aria-label={count > 0 ? fill(words.unread, { label, count }) : label}
      title={label}
      className="relative grid size-11 place-items-center rounded-full hover:bg-base-200"
    >
      {({ isActive }) => (
        <>
          <ItemIcon weight={isActive ? "fill" : "regular"} className="size-6" aria-hidden />
          {count > 0 && (
            <span
              aria-hidden="true"
              className="absolute end-0 top-0.5 min-w-5 rounded-full bg-primary px-1 text-center text-xs/5 font-semibold text-primary-content"
            >
              {count > 98 ? "99+" : count}
            </span>
          )}
        </>
      )}
    </NavLink>
  );
}
