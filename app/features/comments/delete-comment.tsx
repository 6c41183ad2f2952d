import { useState, type SubmitEvent } from "react";
import type { CommentView, PostView } from "#shared/views.ts";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { isGone, postForm, sentenceOf } from "#app/lib/forms/post-form.ts";
import { notify } from "#app/lib/toasts.ts";
import { ask } from "#app/ui/ask.tsx";

type Props = {
  comment: CommentView;
  post: PostView;
  /** `count` of the comments that are left; null when somebody else deleted this one already */
  onDeleted: (commentId: string, count: number | null) => void;
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
      const { count } = await postForm<{ count: number }>("/calls/delete-comment", {
        address: post.author.username,
        number: String(post.number),
        commentId: id,
      });
      onDeleted(id, count);
    } catch (error) {
      setPending(false);
      if (isGone(error)) onDeleted(id, null);
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
