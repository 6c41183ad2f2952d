import { useState } from "react";
import type { CommentThread, PostView } from "#shared/views.ts";
import * as words from "#messages/comments.json";
import { unreachable } from "#messages/shell.json";
import { apiPathOf, pathOfPost } from "#app/lib/text/links.ts";
import { counted } from "#app/lib/text/messages.tsx";
import { notify } from "#app/lib/toasts.ts";
import { LinkButton } from "#app/ui/link-button.tsx";

/** Loads the other replies of a thread; without scripts the page begins with the last one shown. */
export function MoreReplies({ thread, post }: { thread: CommentThread; post: PostView }) {
  const [pending, setPending] = useState(false);
  const { id, replyCount, replies, author } = thread;
  if (replies.nextCursor === null) return null;
  const count = Math.max(1, replyCount - replies.items.length);

  async function load(): Promise<void> {
    if (pending) return;
    setPending(true);
    try {
      const { loadReplies } = await import("#app/features/comments/thread-changes.ts");
      await loadReplies(`${apiPathOf(post)}/comments`, thread);
    } catch {
      notify.error(unreachable);
    }
    setPending(false);
  }

  const label = counted(words.moreReplies, count);
  return (
    <LinkButton
      href={`${pathOfPost(post)}?comment=${replies.items.at(-1)?.id ?? id}#comment-${id}`}
      onPress={() => void load()}
      aria-label={counted(words.moreRepliesTo, count, { name: author.name })}
      title={label}
      className={`${commentAct} w-fit font-medium`}
    >
      {label}
    </LinkButton>
  );
}

/** The look of a comment's actions: text, large enough to tap. */
export const commentAct =
  "-mx-2 -my-1.5 flex h-11 min-w-11 items-center px-2 text-sm text-muted hover:text-base-content hover:underline";
