import type { PostView } from "#shared/views.ts";
import { whatGoes } from "#app/features/posts/what-goes.ts";
import { postForm, sentenceOf } from "#app/lib/forms/post-form.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { changeListed } from "#app/lib/lists/use-endless-list.ts";
import { copyText } from "#app/lib/text/copy-text.ts";
import { notify } from "#app/lib/toasts.ts";
import { ask } from "#app/ui/ask.tsx";

/** Puts the address of a page of ours on the clipboard. */
export async function copyLink(path: string): Promise<void> {
  const url = new URL(path, window.location.origin).href;
  if (await copyText(url)) notify.success("Link copied");
  else notify.error(`Your browser didn't let us copy. The link is ${url}`);
}

/** Asks, and deletes one's own post; `leave` leads away from its page, else it goes out of the lists. */
export async function deletePost(
  { id, author, number }: PostView,
  leave: (() => Promise<void> | void) | null,
): Promise<void> {
  const sure = await ask({
    title: "Delete this post?",
    text: whatGoes,
    ok: "Delete",
    cancel: "Cancel",
    danger: true,
  });
  if (!sure) return;
  try {
    await postForm("/calls/delete-post", { address: author.username, number: String(number) });
  } catch (error) {
    notify.error(`Couldn't delete your post. ${sentenceOf(error)}`);
    return;
  }
  if (leave) {
    forgetLists();
    await leave();
  } else {
    changeListed(id, () => null);
    notify.success("Post deleted");
  }
}
