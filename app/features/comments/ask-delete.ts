import type { CommentView, PostView } from "#shared/views.ts";
import { isGone, sendJson, sentenceOf } from "#app/lib/forms/post-form.ts";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { callPathOf } from "#app/lib/text/links.ts";
import { notify } from "#app/lib/toasts.ts";
import { ask } from "#app/ui/ask.ts";

type Asked = { comment: CommentView; post: PostView; onSure: () => void };

/** Asks, and deletes a comment with the answers under it. @returns whether it is gone */
export async function askDelete({ comment, post, onSure }: Asked): Promise<boolean> {
  const { id, body, replyCount } = comment;
  const sure = await ask({
    title: `Delete this comment${replyCount > 0 ? " and its replies" : ""}?`,
    text: firstGraphemes(body, 140),
    ok: "Delete",
    cancel: "Cancel",
    danger: true,
  });
  if (!sure) return false;
  onSure();
  try {
    await sendJson("DELETE", `${callPathOf(post)}/comments/${id}`);
    return true;
  } catch (error) {
    // Somebody else deleted it already.
    if (isGone(error)) return true;
    notify.error(`Couldn't delete this comment. ${sentenceOf(error)}`);
    return false;
  }
}
