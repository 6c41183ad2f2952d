import type { PostView } from "#shared/views.ts";
import { ShareButton } from "#app/features/share/share-button.tsx";
import { pathOfPost } from "#app/lib/links.ts";
import { ChatCircleIcon, HeartIcon } from "#app/ui/icons.ts";
import { inWords, shortCount } from "#app/lib/counts.ts";

/**
 * The row under a post: likes, comments, and at the far end the place of Save.
 * The counts stand where the buttons will be, at the size of a finger.
 */
export function PostActions({ post }: { post: PostView }) {
  return (
    <div className="flex min-h-11 items-center gap-5 text-muted tabular-nums">
      <span className="flex h-11 items-center gap-1.5">
        <HeartIcon className="size-6" aria-hidden />
        <span aria-hidden="true">{shortCount(post.likeCount)}</span>
        <span className="sr-only">{inWords(post.likeCount, "like")}</span>
      </span>
      <span className="flex h-11 items-center gap-1.5">
        <ChatCircleIcon className="size-6" aria-hidden />
        <span aria-hidden="true">{shortCount(post.commentCount)}</span>
        <span className="sr-only">{inWords(post.commentCount, "comment")}</span>
      </span>
      <ShareButton
        path={pathOfPost(post)}
        title={`Post by ${post.author.name}`}
        className="-me-2.5 ms-auto"
      />
    </div>
  );
}
