import { useState, type ReactNode } from "react";
import type { PostView } from "#shared/views.ts";
import * as words from "#messages/comments.json";
import * as common from "#messages/common.json";
import { HideButton } from "#app/features/blocks/hide-button.tsx";
import { CommentLike } from "#app/features/comments/comment-like.tsx";
import { CommentRow } from "#app/features/comments/comment-row.tsx";
import { DeleteComment } from "#app/features/comments/delete-comment.tsx";
import { commentAct } from "#app/features/comments/more-replies.tsx";
import type { ShownComment, useComments } from "#app/features/comments/use-comments.ts";
import { pathOfPost, replyParameter } from "#app/lib/text/links.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notifyAndClose, lazyComponent } from "#app/ui/lazy-component.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";

const EditComment = lazyComponent(
  async () => (await import("#app/features/comments/edit-comment.tsx")).EditComment,
  notifyAndClose,
);

type Props = {
  comment: ShownComment;
  post: PostView;
  viewerId: string | null;
  comments: Pick<ReturnType<typeof useComments>, "fresh" | "after">;
  onReply: () => void;
  /** the button that had the focus disappears with its comment */
  onDeleted: () => void;
  /** its replies */
  replies?: ReactNode;
};

/** A comment with its actions. */
export function CommentItem({
  comment,
  post,
  viewerId,
  comments,
  onReply,
  onDeleted,
  replies,
}: Props) {
  const { id, author, editable, deletable } = comment;
  const [editing, setEditing] = useState<HTMLElement | null>(null);
  const path = pathOfPost(post);

  function closeEdit(): void {
    setEditing(null);
    editing?.focus();
  }

  return (
    <CommentRow
      comment={comment}
      viewerId={viewerId}
      fresh={id === comments.fresh}
      edit={
        editing && (
          <EditComment
            comment={comment}
            post={post}
            onSaved={(saved) => comments.after("edited", saved)}
            onClose={closeEdit}
          />
        )
      }
      replies={replies}
    >
      {comment.sending ?? (
        <>
          <CommentLike
            comment={comment}
            post={post}
            signedIn={viewerId !== null}
            onSaved={(saved) => comments.after("changed", saved)}
          />
          {post.canComment && (
            <LinkButton
              href={`${path}?${replyParameter}=${id}#leave-comment`}
              onPress={onReply}
              aria-label={fill(words.replyTo, { name: author.name })}
              title={words.reply}
              className={commentAct}
            >
              {words.reply}
            </LinkButton>
          )}
          {editable && (
            <LinkButton
              href={`${path}/comments/${id}/edit`}
              onPress={setEditing}
              aria-label={words.editYours}
              title={common.edit}
              className={commentAct}
            >
              {common.edit}
            </LinkButton>
          )}
          {deletable && (
            <DeleteComment
              comment={comment}
              post={post}
              onDeleted={(replyCount) => {
                onDeleted();
                comments.after("deleted", { ...comment, replyCount });
              }}
            />
          )}
          {viewerId !== null && author.id !== viewerId && (
            <HideButton
              account={author}
              theirPage={author.id === post.author.id}
              reported={{
                kind: "comment",
                author: post.author.username,
                number: post.number,
                commentId: id,
              }}
              className="-mx-2 -my-1.5"
            />
          )}
        </>
      )}
    </CommentRow>
  );
}
