import type { NavigateFunction } from "react-router";
import { currentPost, goToPost } from "#app/features/shell/shortcuts/posts-in-turn.ts";
import { places, shortcutsAreOn } from "#app/features/shell/shortcuts/shortcut-list.ts";

type Means = { navigate: NavigateFunction; showHelp: () => void };

/** Does what a key stands for; `g h` are two keys one after the other. */
export function actOn(key: string, { navigate, showHelp }: Means): void {
  // The sheet opens whatever was chosen: it is where they are turned on again.
  if (key === "?") return showHelp();
  if (!shortcutsAreOn()) return;
  const place = key.startsWith("g ") ? places[key.slice(2)] : undefined;
  if (place) void navigate(place);
  else if (key === "j") goToPost(1);
  else if (key === "k") goToPost(-1);
  else if (key === "n") void navigate("/upload");
  else if (key === "/") void search(navigate);
  else if (key === "o") currentPost()?.querySelector<HTMLElement>("a[href^='/post/']")?.click();
  else if (key === "l") {
    currentPost()?.querySelector<HTMLElement>("[data-shortcut=like]")?.click();
  }
}

async function search(navigate: NavigateFunction): Promise<void> {
  if (window.location.pathname.toLowerCase() !== "/search") await navigate("/search");
  focusSearch(performance.now() + 2000);
}

/** The screen is drawn some frames after one went there. */
function focusSearch(until: number): void {
  const field = document.querySelector<HTMLElement>("main input[type=search]");
  if (field) field.focus();
  else if (performance.now() < until) requestAnimationFrame(() => focusSearch(until));
}
