import type { NavigateFunction } from "react-router";
import { destinations, shortcutsAreOn } from "#app/features/shell/shortcuts/shortcut-list.ts";
import { scrollBehavior } from "#app/lib/page/scroll-behavior.ts";

type ShortcutContext = { navigate: NavigateFunction; showHelp: () => void };

/** Runs a shortcut; `g h` are two keys one after the other. */
export function runShortcut(key: string, { navigate, showHelp }: ShortcutContext): void {
  // The help opens even when shortcuts are off: it is where they are turned on again.
  if (key === "?") return showHelp();
  if (!shortcutsAreOn()) return;
  const destination = key.startsWith("g ") ? destinations[key.slice(2)] : undefined;
  if (destination) void navigate(destination);
  else if (key === "j") goToPost(1);
  else if (key === "k") goToPost(-1);
  else if (key === "n") void navigate("/upload");
  else if (key === "/") void search(navigate);
  else if (key === "o") press("a[href^='/post/']");
  else if (key === "l") press("[data-shortcut=like]");
  else if (key === "s") press("[data-shortcut=save]");
  else if (key === "c") comment();
}

/** Nothing is done to a post that is out of sight. */
function press(control: string): void {
  const post = currentPost();
  post?.scrollIntoView({ block: "nearest" });
  post?.querySelector<HTMLElement>(control)?.click();
}

/** The comment field is on the post's own page. */
function comment(): void {
  if (!currentPost()) return;
  press("a[href$='#comments']");
  focusSoon(".comment-foot textarea");
}

async function search(navigate: NavigateFunction): Promise<void> {
  if (window.location.pathname.toLowerCase() !== "/search") await navigate("/search");
  focusSoon("main input[type=search]");
}

/** The screen is rendered some frames after the navigation. */
function focusSoon(selector: string, until = performance.now() + 2000): void {
  const field = document.querySelector<HTMLElement>(selector);
  if (field) field.focus();
  else if (performance.now() < until) requestAnimationFrame(() => focusSoon(selector, until));
}

/** Space above a post that was moved to, CSS pixels: the header and a little air. */
const above = 72;

const posts = () => [...document.querySelectorAll<HTMLElement>("main article")];

/** The post that has the focus, if any. */
function currentPost(): HTMLElement | null {
  const around = document.activeElement?.closest<HTMLElement>("main article");
  return around ?? (posts().length === 1 ? (posts()[0] ?? null) : null);
}

/** Moves the focus to the next post, or the previous one. Without a current one: the first in sight. */
function goToPost(direction: 1 | -1): void {
  const all = posts();
  const current = document.activeElement?.closest<HTMLElement>("main article");
  const inSight = all.findIndex((post) => post.getBoundingClientRect().bottom > above);
  const at = current ? all.indexOf(current) + direction : inSight;
  const post = all[at];
  if (!post) return;
  post.tabIndex = -1;
  post.focus({ preventScroll: true });
  const top = window.scrollY + post.getBoundingClientRect().top - above;
  window.scrollTo({ top, behavior: scrollBehavior() });
}
