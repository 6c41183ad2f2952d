import * as words from "#messages/settings.json";
import * as shell from "#messages/shell.json";
import {
  BellIcon,
  FlagIcon,
  FolderIcon,
  GearSixIcon,
  LinkSimpleIcon,
  LockKeyIcon,
  StarIcon,
  TextAlignLeftIcon,
  TrashIcon,
  UserIcon,
  type Icon,
} from "#app/ui/icons.ts";
import { NavLink } from "#app/ui/nav-link.tsx";

const pages: [page: string, icon: Icon, label: string, hint: string][] = [
  ["security", LockKeyIcon, words.security, words.securityHint],
  ["notifications", BellIcon, shell.notifications, words.notificationsHint],
  ["friends", StarIcon, words.closeFriends, words.closeFriendsHint],
  ["links", LinkSimpleIcon, words.sharedLinks, words.sharedLinksHint],
  ["blocked", UserIcon, words.blockedAndMuted, words.blockedAndMutedHint],
  ["words", TextAlignLeftIcon, words.mutedWords, words.mutedWordsHint],
  ["reports", FlagIcon, words.reports, words.reportsHint],
  ["data", FolderIcon, words.yourData, words.yourDataHint],
  ["delete", TrashIcon, words.deleteAccount, words.deleteAccountHint],
];

/** The sections with a page of their own. */
export const settingsSections = pages.map(([page, icon, label, hint]) => ({
  to: `/settings/${page}`,
  icon,
  label,
  hint,
}));

/** On a desktop: all sections beside the selected one. */
export function SettingsNav() {
  const all = [{ to: "/settings", icon: GearSixIcon, label: words.general }, ...settingsSections];
  return (
    <nav aria-label={shell.settings} className="hidden lg:block">
      <ul className="sticky top-6 grid gap-1">
        {all.map(({ to, icon: RowIcon, label }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={to === "/settings"}
              // No bold letters: they would break a line of the selected name, and move those below it.
              className={({ isActive }) =>
                `flex min-h-12 items-center gap-3 rounded-field px-3 py-1.5 leading-tight ${isActive ? "bg-base-300" : "hover:bg-base-200"}`
              }
            >
              <RowIcon className="size-5 shrink-0 text-muted" aria-hidden />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
