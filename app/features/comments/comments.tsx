import { useRef, type ReactNode, type RefObject } from "react";
import type { CommentThread, CommentView, PostView } from "#shared/views.ts";
import * as words from "#messages/comments.json";
import * as common from "#messages/common.json";
import { CommentForm, type CommentProblem } from "#app/features/comments/comment-form.tsx";
import { CommentItem } from "#app/features/comments/comment-item.tsx";
import { deletedText } from "#app/features/comments/deletion-text.ts";
import { LiveComments } from "#app/features/comments/live-comments.tsx";
import { MoreReplies } from "#app/features/comments/more-replies.tsx";
import type { ShownComment, useComments } from "#app/features/comments/use-comments.ts";
import { useHiddenAccounts } from "#app/lib/lists/hidden-accounts.ts";
import type { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";

type Props = {
  post: PostView;
  viewerId: string | null;
  comments: ReturnType<typeof useComments>;
  clientKey: string;
  /** the list begins with the oldest comment, not in the middle */
  oldest: boolean;
  /** the comment that the address asks to reply to */
  replyTo: CommentView | null;
  /** how many comments a form without scripts just deleted */
  deleted: number;
  /** the answer to a submit without scripts */
  returned: { typed: { body?: string | undefined }; problem?: CommentProblem };
};

/** The comments of a post, oldest first, and the form, which stays at the bottom of the window. */
export function Comments(props: Props) {
  const { post, viewerId, comments, clientKey, oldest, deleted, returned } = props;
  const { list, ahead, count, said } = comments;
  const [replyTo, setReplyTo] = useResettableState(props.replyTo);
  const title = useRef<HTMLHeadingElement>(null);
  const hidden = useHiddenAccounts();
  const alive = useHydrated();

  function reply(to: CommentView): void {
    setReplyTo(to);
    void import("#app/features/comments/fill-reply.ts").then(
      ({ fillReply }) => fillReply(to.author.username, replyTo?.author.username),
      () => undefined,
    );
  }

  const one = (comment: ShownComment, replies?: ReactNode) =>
    hidden.has(comment.author.id) ? null : (
      <CommentItem
        key={comment.id}
        comment={comment}
        post={post}
        viewerId={viewerId}
        comments={comments}
        onReply={() => reply(comment)}
        onDeleted={() => title.current?.focus()}
        replies={replies}
      />
    );

  const thread = (root: CommentThread) => {
    const { items } = root.replies;
    const mine = comments.repliesAhead(root);
    return one(
      root,
      (items.length > 0 || mine.length > 0) && (
        <>
          <ol aria-label={fill(words.repliesTo, { name: root.author.name })}>
            {items.map((each) => one(each))}
          </ol>
          <MoreReplies thread={root} post={post} />
          {mine.length > 0 && (
            <ol aria-label={words.justReplied}>{mine.map((each) => one(each))}</ol>
          )}
        </>
      ),
    );
  };

  return (
    <>
      <section
        id="comments"
        aria-labelledby="comments-title"
        className="scroll-mt-16 grow px-4 pt-5 pb-10 md:scroll-mt-4"
      >
        <Title ref={title} count={count} />
        {deleted > 0 && (
          <output className="block pt-1 text-center text-muted">{deletedText(deleted - 1)}</output>
        )}
        {!oldest && (
          <Link
            to={`${pathOfPost(post)}#comments`}
            className="link mt-3 inline-flex min-h-11 items-center"
          >
            {words.fromFirst}
          </Link>
        )}
        <ol className="pt-3">{list.items.map(thread)}</ol>
        <MoreComments list={list} path={pathOfPost(post)} />
        {ahead.length > 0 && <ol aria-label={words.justWritten}>{ahead.map(thread)}</ol>}
        <output className="sr-only">{said}</output>
        {alive && viewerId !== null && <LiveComments {...comments} />}
      </section>
      <div id="leave-comment" className="comment-foot no-print">
        <CommentForm
          post={post}
          clientKey={clientKey}
          returned={returned}
          replyTo={replyTo}
          onReplyTo={setReplyTo}
          comments={comments}
        />
      </div>
    </>
  );
}

const Title = ({ ref, count }: { ref: RefObject<HTMLHeadingElement | null>; count: number }) => (
  <h2
    id="comments-title"
    ref={ref}
    tabIndex={-1}
    className={
      count === 0 ? "pt-8 text-center font-wordmark text-2xl text-muted" : "pb-1 font-semibold"
    }
  >
    {count === 0 ? words.noneYet : counted(words.comments, count)}
  </h2>
);

type MoreProps = {
  list: Pick<ReturnType<typeof useInfiniteList>, "nextCursor" | "state" | "loadMore">;
  /** of the post: without scripts the next comments are a page of their own */
  path: string;
};

/** Loads newer comments. By a button, not by scrolling, so that what follows the list stays in reach. */
function MoreComments({ list: { nextCursor, state, loadMore }, path }: MoreProps) {
  const hydrated = useHydrated();
  if (nextCursor === null) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 py-4" aria-live="polite">
      {state === "failed" && <p>{words.moreFailed}</p>}
      {hydrated ? (
        <Button pending={state === "loading"} onClick={() => void loadMore()}>
          {state === "failed" ? common.tryAgain : words.showMore}
        </Button>
      ) : (
        <ButtonLink to={`${path}?${new URLSearchParams({ cursor: nextCursor })}#comments`}>
          {words.showMore}
        </ButtonLink>
      )}
    </div>
  );
}
