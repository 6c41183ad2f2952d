import type { List } from "#app/lib/lists/remembered-lists.ts";

/**
 * A post of a long list that is far out of sight: the fields that the list needs of each, and the rest as
 * JSON. A thousand posts as objects, with their authors, photos and comments, take twice as much memory.
 */
export type Folded = {
  id: string;
  author: { id: string };
  version: number;
  /** it is a card with comments, as in `heightKey` */
  comments: boolean;
  folded: string;
};

/** What can be folded: a post. */
export type Foldable = Omit<Folded, "comments" | "folded"> & { comments?: unknown };

export type Post = Foldable | Folded;

/** A list of cards on this page: its element has an article per post, and one element per folded run. */
export type Cards = {
  box: HTMLElement | null;
  posts: readonly Post[];
  change: (change: (list: List) => List) => void;
};

/** Browser only, as everything here. */
export const lists = new Set<Cards>();

export const isFolded = (item: object): item is Folded => "folded" in item;

export function fold(post: Foldable | Folded): Folded {
  if (isFolded(post)) return post;
  const { id, author, version, comments } = post;
  return {
    id,
    author: { id: author.id },
    version,
    comments: Boolean(comments),
    folded: JSON.stringify(post),
  };
}

export const unfold = <Item extends object>(item: Item | Folded): Item =>
  isFolded(item) ? (JSON.parse(item.folded) as Item) : item;

/** As JSON: a folded post is serialized already. */
export const written = (item: object): string =>
  isFolded(item) ? item.folded : JSON.stringify(item);
