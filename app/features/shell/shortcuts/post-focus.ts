import { scrollBehavior } from "#app/lib/page/scroll-behavior.ts";

/** Room above a post that was gone to, CSS pixels: the header and a little air. */
const above = 72;

const posts = () => [...document.querySelectorAll<HTMLElement>("main article")];

/** The post one is in, else none. */
export function currentPost(): HTMLElement | null {
  const around = document.activeElement?.closest<HTMLElement>("main article");
  return around ?? (posts().length === 1 ? (posts()[0] ?? null) : null);
}

/** Puts the focus on the next post, or the one before. Without a current one: the first in sight. */
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
