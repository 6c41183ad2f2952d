import * as words from "#messages/shell.json";
import type { Icon } from "#app/ui/icons.ts";
import {
  BookmarkSimpleIcon,
  GearSixIcon,
  HouseIcon,
  MagnifyingGlassIcon,
  PlusSquareIcon,
  ShieldCheckIcon,
  TerminalWindowIcon,
  UserIcon,
} from "#app/ui/icons.ts";

export type NavigationItem = { to: string; label: string; icon: Icon };

const home = { to: "/", label: words.home, icon: HouseIcon };
const search = { to: "/search", label: words.search, icon: MagnifyingGlassIcon };
const saved = { to: "/saved", label: words.saved, icon: BookmarkSimpleIcon };
const profile = { to: "/profile", label: words.profile, icon: UserIcon };
const settings = { to: "/settings", label: words.settings, icon: GearSixIcon };
/** For moderators only, below the others. */
export const moderation = { to: "/moderation", label: words.moderation, icon: ShieldCheckIcon };
/** For operators only, below that. */
export const operator = { to: "/operator", label: words.operator, icon: TerminalWindowIcon };
export const upload = { to: "/upload", label: words.post, icon: PlusSquareIcon };

/** Always in the sidebar, in this order. */
export const sidebarItems: NavigationItem[] = [home, search, saved, profile, settings];
/** The four of the bottom bar. */
export const bottomBarItems: NavigationItem[] = [home, upload, search, profile];
/** Behind the avatar on small screens. */
export const menuItems: NavigationItem[] = [saved, settings];
