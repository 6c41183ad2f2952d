import { useState, type SubmitEvent } from "react";
import type { CommentView, PostView } from "#shared/views.ts";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { callPathOf, pathOfPost } from "#app/lib/text/links.ts";
import { isGone, sendJson, sentenceOf } from "#app/lib/forms/post-form.ts";
import { notify } from "#app/lib/toasts.ts";
import { ask } from "#app/ui/ask.tsx";

type Props = {
  comment: CommentView;
  post: PostView;
  onDeleted: (commentId: string) => void;
};

/** For a comment's writer and the post's author. Without scripts the form leads to a page that asks. */
export function DeleteComment({ comment, post, onDeleted }: Props) {
  const [pending, setPending] = useState(false);
  const { id, body, author } = comment;

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (pending) return;
    const text = firstGraphemes(body, 140);
    const sure = await ask({
      title: "Delete this comment?",
      text,
      ok: "Delete",
      cancel: "Cancel",
      danger: true,
    });
    if (!sure) return;
    setPending(true);
    try {
      await sendJson("DELETE", `${callPathOf(post)}/comments/${id}`);
      onDeleted(id);
    } catch (error) {
      setPending(false);
      // Somebody else deleted it already.
      if (isGone(error)) onDeleted(id);
      else notify.error(`Couldn't delete this comment. ${sentenceOf(error)}`);
    }
  }

  return (
    <form
      action={`${pathOfPost(post)}/comments/${id}/delete`}
      onSubmit={(event) => void submit(event)}
    >
      <button
        type="submit"
        aria-label={`Delete the comment by ${author.name}`}
        aria-busy={pending || undefined}
        className="-mx-2 -my-1.5 flex h-11 min-w-11 items-center px-2 hover:text-base-content hover:underline"
      >
        Delete
      </button>
    </form>
  );
}
