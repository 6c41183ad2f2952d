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

const home = { to: "/", label: "Home", icon: HouseIcon };
const search = { to: "/search", label: "Search", icon: MagnifyingGlassIcon };
const saved = { to: "/saved", label: "Saved", icon: BookmarkSimpleIcon };
const profile = { to: "/profile", label: "Profile", icon: UserIcon };
const settings = { to: "/settings", label: "Settings", icon: GearSixIcon };
/** For moderators only, below the others. */
export const moderation = { to: "/moderation", label: "Moderation", icon: ShieldCheckIcon };
/** For operators only, below that. */
export const operator = { to: "/operator", label: "Operator", icon: TerminalWindowIcon };
export const upload = { to: "/upload", label: "Post", icon: PlusSquareIcon };

/** Always in the sidebar, in this order. */
export const sidebarItems: NavigationItem[] = [home, search, saved, profile, settings];
/** The four of the bottom bar. */
export const bottomBarItems: NavigationItem[] = [home, upload, search, profile];
/** Behind the avatar on small screens. */
export const menuItems: NavigationItem[] = [saved, settings];
