import type { PostView } from "#shared/views.ts";
import type { EditedParts } from "#app/features/posts/read-edited.ts";
import type { Folded } from "#app/lib/lists/folded-posts.ts";
import { useLive } from "#app/lib/live/live.ts";

/**
 * Keeps the counts of these posts up to date from the stream, also of folded ones. Reads one again when the
 * stream says that it was edited, for the lists that hold it and everything else that shows it. A failed
 * read is made up for by the next read of the page.
 */
export function useEdits(
  posts: readonly (PostView | Folded)[],
  onEdited?: (parts: EditedParts) => void,
): void {
  useLive("post", (now) => {
    const old = posts.find(({ author, id }) => now.post === `${author.id}.${id}`);
    if (!old) return;
    void import("#app/features/posts/read-edited.ts")
      .then(({ applyLiveCounts }) => applyLiveCounts(old, now))
      .then(
        (parts) => parts && onEdited?.(parts),
        () => undefined,
      );
  });
}
