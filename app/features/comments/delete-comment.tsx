import { useState } from "react";
import type { CommentView, PostView } from "#shared/views.ts";
import * as words from "#messages/comments.json";
import * as common from "#messages/common.json";
import { commentAct } from "#app/features/comments/more-replies.tsx";
import { instead } from "#app/lib/instead.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notifyUnreachable } from "#app/ui/lazy-component.tsx";

type Props = {
  comment: CommentView;
  post: PostView;
  /** number of replies that were deleted with it */
  onDeleted: (replies: number) => void;
};

/** For a comment's writer and the post's author. Without scripts the form leads to a page that asks first. */
export function DeleteComment({ comment, post, onDeleted }: Props) {
  const [pending, setPending] = useState(false);

  async function submit() {
    if (pending) return;
    try {
      const { confirmDeleteComment } =
        await import("#app/features/comments/confirm-delete-comment.ts");
      const replies = await confirmDeleteComment({ comment, post, onSure: () => setPending(true) });
      if (replies !== null) onDeleted(replies);
    } catch {
      notifyUnreachable();
    }
    setPending(false);
  }

  return (
    <form action={`${pathOfPost(post)}/comments/${comment.id}/delete`} onSubmit={instead(submit)}>
      <button
        type="submit"
        aria-label={fill(words.deleteOf, { name: comment.author.name })}
        aria-busy={pending || undefined}
        className={commentAct}
      >
        {common.delete}
      </button>
    </form>
  );
}
