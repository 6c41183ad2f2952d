import type { ReactNode } from "react";
import { Link } from "react-router";
import type { CommentView } from "#shared/views.ts";
import { CommentBody } from "#app/features/comments/comment-body.tsx";
import { PostTime } from "#app/features/posts/post-time.tsx";
import { profilePath } from "#app/lib/text/links.ts";
import { Avatar } from "#app/ui/avatar.tsx";

type Props = {
  comment: CommentView;
  viewerId: string | null;
  /** just written: it appears, the others stand */
  fresh?: boolean;
  /** what can be done with it */
  children?: ReactNode;
};

/** A comment under a post: who, what, when. */
export function CommentRow({ comment, viewerId, fresh = false, children }: Props) {
  const { id, author, body, createdAt } = comment;
  const to = profilePath(author, viewerId);
  return (
    <li
      id={`comment-${id}`}
      className={`flex scroll-mt-20 scroll-mb-24 gap-3 pt-3 ${fresh ? "motion-appear" : ""}`}
    >
      <Link to={to} tabIndex={-1} aria-hidden="true" className="h-fit shrink-0">
        <Avatar name={author.name} picture={author.avatar} size="sm" />
      </Link>
      <div className="min-w-0 flex-1">
        <Link to={to} className="line-clamp-1 text-sm font-semibold wrap-anywhere hover:underline">
          <bdi>{author.name}</bdi>
        </Link>
        <CommentBody body={body} mentions={comment.mentions} />
        <div className="flex min-h-8 items-center gap-4 text-sm text-muted">
          <PostTime at={createdAt} />
          {children}
        </div>
      </div>
    </li>
  );
}
