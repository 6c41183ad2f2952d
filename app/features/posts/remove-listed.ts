import { changeListed } from "#app/lib/lists/use-infinite-list.ts";

/** Takes a post, `{author id}.{post id}`, out of every list. Loaded when that happens. */
export function removeListed(post: string): void {
  const [, id = ""] = post.split(".");
  changeListed(id, () => null);
}
