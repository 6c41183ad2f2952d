import { useRef } from "react";
import { Link } from "react-router";
import type { CommentView, PostView } from "#shared/views.ts";
import { HideButton } from "#app/features/blocks/hide-button.tsx";
import { CommentForm } from "#app/features/comments/comment-form.tsx";
import { CommentRow } from "#app/features/comments/comment-row.tsx";
import { DeleteComment } from "#app/features/comments/delete-comment.tsx";
import { MoreComments } from "#app/features/comments/more-comments.tsx";
import type { CommentProblem } from "#app/features/comments/use-add-comment.ts";
import type { useComments } from "#app/features/comments/use-comments.ts";
import { inWords } from "#app/lib/text/counts.ts";
import { useHiddenAccounts } from "#app/lib/lists/hidden-accounts.ts";
import { pathOfPost } from "#app/lib/text/links.ts";

type Props = {
  post: PostView;
  viewerId: string | null;
  comments: ReturnType<typeof useComments>;
  clientKey: string;
  /** the list begins with the oldest comment, not somewhere in the middle */
  oldest: boolean;
  /** what a submit without scripts brought back */
  returned: { body: string; problem?: CommentProblem };
};

/** The comments of a post, oldest first, and the form, which stays at the foot of the window. */
export function Comments({ post, viewerId, comments, clientKey, oldest, returned }: Props) {
  const { list, ahead, count, said, fresh } = comments;
  const title = useRef<HTMLHeadingElement>(null);
  const hidden = useHiddenAccounts();

  const row = (comment: CommentView) =>
    hidden.has(comment.author.id) ? null : (
      <CommentRow
        key={comment.id}
        comment={comment}
        viewerId={viewerId}
        fresh={comment.id === fresh}
      >
        {comment.deletable && (
          <DeleteComment
            comment={comment}
            post={post}
            onDeleted={(id) => {
              // The button that had the focus goes with its comment.
              title.current?.focus();
              void comments.deleted(id);
            }}
          />
        )}
        {viewerId !== null && comment.author.id !== viewerId && (
          <HideButton
            account={comment.author}
            theirPage={comment.author.id === post.author.id}
            className="-my-1.5"
          />
        )}
      </CommentRow>
    );

  return (
    <>
      <section
        id="comments"
        aria-labelledby="comments-title"
        className="scroll-mt-16 grow px-4 pt-5 pb-10 md:scroll-mt-4"
      >
        <h2 id="comments-title" ref={title} tabIndex={-1} className="pb-1 font-semibold">
          {count === 0 ? "No comments yet" : inWords(count, "comment")}
        </h2>
        {!oldest && (
          <Link
            to={`${pathOfPost(post)}#comments`}
            className="link mt-3 inline-flex min-h-11 items-center"
          >
            Start from the first comment
          </Link>
        )}
        <ol className="pt-3">{list.items.map(row)}</ol>
        <MoreComments list={list} path={pathOfPost(post)} />
        {ahead.length > 0 && <ol aria-label="Just written">{ahead.map(row)}</ol>}
        <output className="sr-only">{said}</output>
      </section>
      <div className="comment-foot no-print">
        <CommentForm
          post={post}
          clientKey={clientKey}
          returned={returned}
          onAdded={(comment) => void comments.added(comment)}
        />
      </div>
    </>
  );
}
