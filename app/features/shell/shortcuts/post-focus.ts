import { scrollBehavior } from "#app/lib/page/scroll-behavior.ts";

/** Space above a post that was moved to, CSS pixels: the header and a little air. */
const above = 72;

const posts = () => [...document.querySelectorAll<HTMLElement>("main article")];

/** The post that has the focus, if any. */
export function currentPost(): HTMLElement | null {
  const around = document.activeElement?.closest<HTMLElement>("main article");
  return around ?? (posts().length === 1 ? (posts()[0] ?? null) : null);
}

/** Moves the focus to the next post, or the previous one. Without a current one: the first in sight. */
export function goToPost(direction: 1 | -1): void {
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
