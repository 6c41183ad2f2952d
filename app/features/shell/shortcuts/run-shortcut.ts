import type { NavigateFunction } from "react-router";
import { currentPost, goToPost } from "#app/features/shell/shortcuts/post-focus.ts";
import { destinations, shortcutsAreOn } from "#app/features/shell/shortcuts/shortcut-list.ts";

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
