import type { CommentView, PostView } from "#shared/views.ts";
import * as words from "#messages/comments.json";
import { deleteQuestion } from "#app/features/comments/deletion-text.ts";
import { isGone, sendJson, errorMessage } from "#app/lib/api-client.ts";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { apiPathOf } from "#app/lib/text/links.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notify } from "#app/lib/toasts.ts";
import { confirmDeletion } from "#app/ui/ask.ts";

type Asked = { comment: CommentView; post: PostView; onSure: () => void };

/**
 * Asks, and deletes a comment with its replies.
 * @returns how many replies were deleted with it, which may differ from the number asked about; null where
 * it stays
 */
export async function confirmDeleteComment({
  comment,
  post,
  onSure,
}: Asked): Promise<number | null> {
  const { id, body, replyCount } = comment;
  if (!(await confirmDeletion(deleteQuestion(replyCount), firstGraphemes(body, 140)))) return null;
  onSure();
  try {
    const path = `${apiPathOf(post)}/comments/${id}`;
    const { deleted } = await sendJson<{ deleted: number }>("DELETE", path);
    return deleted - 1;
  } catch (error) {
    // Somebody else deleted it already.
    if (isGone(error)) return 0;
    notify.error(fill(words.deleteFailed, { problem: errorMessage(error) }));
    return null;
  }
}
