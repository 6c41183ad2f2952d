import type { SubmitEvent } from "react";
import { useNavigate } from "react-router";
import type { PostView } from "#shared/views.ts";
import { callPathOf, pathOfPost } from "#app/lib/text/links.ts";
import { sendJson, sentenceOf } from "#app/lib/forms/post-form.ts";
import { notify } from "#app/lib/toasts.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { ask } from "#app/ui/ask.tsx";
import { Button } from "#app/ui/button.tsx";
import { TrashIcon } from "#app/ui/icons.ts";

export const whatGoes =
  "Its likes and comments will be deleted too, and it will disappear from everyone's saved posts. This can't be undone.";

/** For the author of a post; asks first. Without scripts the form leads to a page that asks. */
export function DeletePost({ post }: { post: PostView }) {
  const navigate = useNavigate();

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const sure = await ask({
      title: "Delete this post?",
      text: whatGoes,
      ok: "Delete",
      cancel: "Cancel",
      danger: true,
    });
    if (!sure) return;
    try {
      await sendJson("DELETE", callPathOf(post));
      forgetLists();
      await navigate("/profile", { replace: true });
    } catch (error) {
      notify.error(`Couldn't delete your post. ${sentenceOf(error)}`);
    }
  }

  return (
    <form action={`${pathOfPost(post)}/delete`} onSubmit={submit}>
      <Button type="submit" look="quiet" className="-me-3 px-3">
        <TrashIcon className="size-5" aria-hidden />
        Delete
      </Button>
    </form>
  );
}
