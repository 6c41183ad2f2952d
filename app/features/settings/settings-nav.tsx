import { NavLink } from "react-router";
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
    label: "Security",
    hint: "Password, two-step sign-in, passkeys, where you're signed in, and recent activity.",
  },
  {
    to: "/settings/notifications",
    icon: BellIcon,
    label: "Notifications",
    hint: "Follows, likes, comments, mentions and messages.",
  },
  {
    to: "/settings/friends",
    icon: StarIcon,
    label: "Close friends",
    hint: "Who sees the posts that you share with them only.",
  },
  {
    to: "/settings/links",
    icon: LinkSimpleIcon,
    label: "Shared links",
    hint: "What you show to people without an account, and until when.",
  },
  {
    to: "/settings/blocked",
    icon: UserIcon,
    label: "Blocked and muted",
    hint: "People who can't see you, and people you don't want in your feed.",
  },
  {
    to: "/settings/words",
    icon: TextAlignLeftIcon,
    label: "Muted words",
    hint: "Posts and comments you'd rather not read.",
  },
  {
    to: "/settings/reports",
    icon: FlagIcon,
    label: "Reports and decisions",
    hint: "What you reported, and what moderators decided about you.",
  },
  {
    to: "/settings/data",
    icon: FolderIcon,
    label: "Your data",
    hint: "Export and import.",
  },
  {
    to: "/settings/delete",
    icon: TrashIcon,
    label: "Delete account",
    hint: "You have a week to change your mind.",
  },
];

/** On a desktop: all sections beside the selected one. */
export function SettingsNav() {
  const all = [{ to: "/settings", icon: GearSixIcon, label: "General" }, ...settingsSections];
  return (
    <nav aria-label="Settings" className="hidden lg:block">
      <ul className="sticky top-6 grid gap-1">
        {all.map(({ to, icon: RowIcon, label }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={to === "/settings"}
              className={({ isActive }) =>
                `flex min-h-12 items-center gap-3 rounded-field px-3 ${isActive ? "bg-base-300 font-semibold" : "hover:bg-base-200"}`
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
