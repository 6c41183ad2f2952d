import type { LiveCounts } from "#shared/live.ts";
import type { PostView } from "#shared/views.ts";
import { getJson } from "#app/lib/api-client.ts";
import { unfold, type Folded } from "#app/lib/lists/folded-posts.ts";
import { changeListed } from "#app/lib/lists/use-infinite-list.ts";
import { apiPathOf } from "#app/lib/text/links.ts";

/** The part of a post that an edit changes. */
export type EditedParts = Pick<
  PostView,
  "caption" | "pictures" | "editedAt" | "version" | "audience" | "warning" | "sensitive"
>;

/** An event of the stream about a post: the lists take its counts, and after an edit its content. */
export async function applyLiveCounts(
  old: PostView | Folded,
  { version, likeCount, commentCount }: LiveCounts,
): Promise<EditedParts | null> {
  changeListed<PostView>(old.id, (card) => ({ ...card, likeCount, commentCount }));
  return version > old.version ? readEdited(unfold(old)) : null;
}

/** The post in its newest version; the lists take it. The stream delivers its likes. */
async function readEdited(post: PostView): Promise<EditedParts> {
  const now = await getJson<PostView>(apiPathOf(post));
  const { caption, pictures, editedAt, version, audience, warning, sensitive } = now;
  const parts = { caption, pictures, editedAt, version, audience, warning, sensitive };
  changeListed<PostView>(post.id, (card) =>
    card.version < version ? { ...card, ...parts } : card,
  );
  return parts;
}
