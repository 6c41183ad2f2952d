import type { PostView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { LikeButton, type Like } from "#app/features/likes/like-button.tsx";
import { BookmarkButton } from "#app/features/bookmarks/bookmark-button.tsx";
import { ShareButton } from "#app/features/posts/share-button.tsx";
import { compactCount } from "#app/lib/text/counts.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";
import { ChatCircleIcon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";

type Props = {
  post: PostView;
  /** a visitor is led to the sign-in form and back */
  signedIn: boolean;
  like: Like;
};

/** The row below a post: like, comments, share, and Save at the far end. */
export function PostActions({ post, signedIn, like }: Props) {
  return (
    <div className="-mx-2.5 flex min-h-11 items-center gap-2 text-muted no-print">
      <LikeButton post={post} signedIn={signedIn} like={like} />
      <Link
        to={`${pathOfPost(post)}#comments`}
        title={words.commentsTitle}
        className="flex h-11 items-center gap-2 rounded-full px-2.5 hover:bg-base-content/8 hover:text-base-content"
      >
        <ChatCircleIcon className="size-6.5" aria-hidden />
        <span aria-hidden="true" className="tabular-nums">
          {compactCount(post.commentCount)}
        </span>
        <span className="sr-only">{counted(words.comments, post.commentCount)}</span>
      </Link>
      <ShareButton
        path={pathOfPost(post)}
        title={fill(words.postBy, { name: post.author.name })}
        className="me-auto"
      />
      <BookmarkButton post={post} signedIn={signedIn} />
    </div>
  );
}
