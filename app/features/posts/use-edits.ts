import type { PostView } from "#shared/views.ts";
import type { EditedParts } from "#app/features/posts/read-edited.ts";
import { useLive } from "#app/lib/live/live.ts";

/**
 * Reads a post of these again when the stream says that it was edited, for the lists that hold it
 * and for whoever else shows it. What fails is read with the page.
 */
export function useEdits(
  posts: readonly PostView[],
  onEdited?: (parts: EditedParts) => void,
): void {
  useLive("post", ({ post, version }) => {
    const old = posts.find(({ author, id }) => post === `${author.id}.${id}`);
    if (!old || version <= old.version) return;
    void import("#app/features/posts/read-edited.ts")
      .then(({ readEdited }) => readEdited(old))
      .then(onEdited, () => undefined);
  });
}
