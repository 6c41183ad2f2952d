import type { NavigateFunction } from "react-router";
import type { PostTile, PostView } from "#shared/views.ts";
import { unfold } from "#app/lib/lists/folded-posts.ts";
import { remembered } from "#app/lib/lists/remembered-lists.ts";
import { pathOfPost, postPath } from "#app/lib/text/links.ts";

/** 1: the next one, -1: the one before. */
export type Direction = 1 | -1;
type Neighbour = { id: string; path: string };

/** How long a page that was read may take to appear, milliseconds. */
const patience = 10_000;

/** The post beside one in the list that was shown last; null at its ends, and without a list. */
export function neighbourOf(postId: string | undefined, direction: Direction): Neighbour | null {
  for (const { items } of [...remembered.values()].toReversed()) {
    const at = items.findIndex(({ id }) => id === postId);
    if (at === -1) continue;
    const item = items[at + direction];
    if (!item) return null;
    const post = unfold(item as PostTile | PostView);
    return { id: post.id, path: "author" in post ? pathOfPost(post) : postPath(post) };
  }
  return null;
}

/** Opens the page of a post, and there its first photo, or coming from behind its last. */
export async function openNeighbour(
  { id, path }: Neighbour,
  direction: Direction,
  { navigate, failed }: { navigate: NavigateFunction; failed: () => void },
): Promise<void> {
  // From one post's page to another's: Back leads to the list.
  await navigate(path, { replace: document.querySelector(".desk-post") !== null });
  openSoon(id, direction, failed, performance.now() + patience);
}

/** The page is rendered some frames after the navigation. */
function openSoon(id: string, direction: Direction, failed: () => void, until: number): void {
  const page = document.querySelector(`.desk-post[id="${id}"]`);
  if (page) {
    const photos = page.querySelectorAll<HTMLElement>("[data-photo-frame] a");
    photos[direction === 1 ? 0 : photos.length - 1]?.click();
  } else if (performance.now() > until) failed();
  else requestAnimationFrame(() => openSoon(id, direction, failed, until));
}
