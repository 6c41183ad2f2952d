import { NavLink } from "react-router";
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

type Section = { to: string; icon: Icon; label: string; hint: string };

/** The sections with a page of their own. */
export const settingsSections: readonly Section[] = [
  {
    to: "/settings/security",
    icon: LockKeyIcon,
    label: words.security,
    hint: words.securityHint,
  },
  {
    to: "/settings/notifications",
    icon: BellIcon,
    label: shell.notifications,
    hint: words.notificationsHint,
  },
  {
    to: "/settings/friends",
    icon: StarIcon,
    label: words.closeFriends,
    hint: words.closeFriendsHint,
  },
  {
    to: "/settings/links",
    icon: LinkSimpleIcon,
    label: words.sharedLinks,
    hint: words.sharedLinksHint,
  },
  {
    to: "/settings/blocked",
    icon: UserIcon,
    label: words.blockedAndMuted,
    hint: words.blockedAndMutedHint,
  },
  {
    to: "/settings/words",
    icon: TextAlignLeftIcon,
    label: words.mutedWords,
    hint: words.mutedWordsHint,
  },
  {
    to: "/settings/reports",
    icon: FlagIcon,
    label: words.reports,
    hint: words.reportsHint,
  },
  {
    to: "/settings/data",
    icon: FolderIcon,
    label: words.yourData,
    hint: words.yourDataHint,
  },
  {
    to: "/settings/delete",
    icon: TrashIcon,
    label: words.deleteAccount,
    hint: words.deleteAccountHint,
  },
];

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
              className={({ isActive }) =>
                `flex min-h-12 items-center gap-3 rounded-field px-3 py-1.5 leading-tight ${isActive ? "bg-base-300 font-semibold" : "hover:bg-base-200"}`
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
