import type { LiveCounts } from "#shared/live.ts";
import { pick } from "#shared/records.ts";
import type { PostView } from "#shared/views.ts";
import { getJson } from "#app/lib/api-client.ts";
import { unfold, type Folded } from "#app/lib/lists/folded-posts.ts";
import { changeListed } from "#app/lib/lists/use-infinite-list.ts";
import { apiPathOf } from "#app/lib/text/links.ts";

const editedNames = [
  ...(["caption", "pictures", "editedAt", "version"] as const),
  ...(["audience", "warning", "sensitive"] as const),
];

/** The part of a post that an edit changes. */
export type EditedParts = Pick<PostView, (typeof editedNames)[number]>;

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
  const parts: EditedParts = pick(await getJson<PostView>(apiPathOf(post)), editedNames);
  changeListed<PostView>(post.id, (card) =>
    card.version < parts.version ? { ...card, ...parts } : card,
  );
  return parts;
}
