import type { PostView } from "#shared/views.ts";
import type { EditedParts } from "#app/features/posts/read-edited.ts";
import { unfold, type Folded } from "#app/lib/lists/folded.ts";
import { changeListed } from "#app/lib/lists/use-endless-list.ts";
import { useLive } from "#app/lib/live/live.ts";

/**
 * Keeps the counts of these posts as the stream tells them, also of one that is put away. Reads one again when the stream says that it was edited, for the lists that hold it
 * and for whoever else shows it. What fails is read with the page.
 */
export function useEdits(
  posts: readonly (PostView | Folded)[],
  onEdited?: (parts: EditedParts) => void,
): void {
  useLive("post", ({ post, version, likeCount, commentCount }) => {
    const old = posts.find(({ author, id }) => post === `${author.id}.${id}`);
    if (!old) return;
    changeListed<PostView>(old.id, (card) => ({ ...card, likeCount, commentCount }));
    if (version <= old.version) return;
    void import("#app/features/posts/read-edited.ts")
      .then(({ readEdited }) => readEdited(unfold(old)))
      .then(onEdited, () => undefined);
  });
}
