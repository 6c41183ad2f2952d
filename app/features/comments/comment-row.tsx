import { useState, type ReactNode } from "react";
import type { CommentView } from "#shared/views.ts";
import * as words from "#messages/comments.json";
import { LinkedText } from "#app/features/posts/linked-text.tsx";
import { useOverflow } from "#app/lib/lists/use-overflow.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { profilePath } from "#app/lib/text/links.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Link } from "#app/ui/link.tsx";
import { PostTime } from "#app/ui/post-time.tsx";

type Props = {
  comment: CommentView;
  viewerId: string | null;
  /** just written: it fades in, the others do not */
  fresh?: boolean;
  /** replaces its text while it is being edited */
  edit?: ReactNode;
  /** its replies */
  replies?: ReactNode;
  /** its actions */
  children?: ReactNode;
};

/** A comment on a post: author, text, time. */
export function CommentRow({ comment, viewerId, fresh = false, edit, replies, children }: Props) {
  const { id, author, createdAt, editedAt, mutedWord } = comment;
  const said = <CommentBody {...comment} />;
  const to = profilePath(author, viewerId);
  return (
    <li
      id={`comment-${id}`}
      className={`flex scroll-mt-20 scroll-mb-24 gap-3 pt-3 ${fresh ? "motion-appear" : ""}`}
    >
      <Link to={to} tabIndex={-1} aria-hidden="true" className="h-fit shrink-0">
        <Avatar name={author.name} image={author.avatar} size="sm" />
      </Link>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2 text-sm text-muted">
          <Link
            to={to}
            dir="auto"
            className="line-clamp-1 font-semibold text-base-content wrap-anywhere hover:underline"
          >
            {author.name}
          </Link>
          <span className="shrink-0">
            <PostTime at={createdAt} />
            {editedAt !== null && (
              <>
                {" · "}
                <PostTime at={editedAt} label={words.edited} />
              </>
            )}
          </span>
        </div>
        {edit ||
          (mutedWord ? (
            <details>
              <summary className="py-2.5 text-muted">
                {rich(words.mutedWord, { word: <bdi>{mutedWord}</bdi> })}
              </summary>
              {said}
            </details>
          ) : (
            said
          ))}
        <div className="flex min-h-8 flex-wrap items-center gap-x-4 text-sm text-muted">
          {children}
        </div>
        {replies}
      </div>
    </li>
  );
}

const textClass = "whitespace-pre-wrap wrap-anywhere";

type BodyProps = Pick<CommentView, "body" | "language" | "mentions">;

/** The text of a comment. Long ones fold, once there is a script that can unfold them. */
function CommentBody(props: BodyProps) {
  const { body, language, mentions } = props;
  const long = body.length > 400 || body.split("\n").length > 8;
  if (long) return <LongBody {...props} />;
  return (
    <p dir="auto" lang={language ?? undefined} className={textClass}>
      <LinkedText text={body} mentions={mentions} />
    </p>
  );
}

function LongBody({ body, language, mentions }: BodyProps) {
  const hydrated = useHydrated();
  const [open, setOpen] = useState(false);
  const { ref, overflows } = useOverflow<HTMLParagraphElement>(true);
  const folded = hydrated && !open;
  return (
    <>
      <p
        ref={ref}
        dir="auto"
        lang={language ?? undefined}
        className={`${textClass} ${folded ? "line-clamp-8" : ""}`}
      >
        <LinkedText text={body} mentions={mentions} />
      </p>
      {folded && overflows && (
        <button
          type="button"
          aria-label={words.moreOfThis}
          onClick={() => setOpen(true)}
          className="-mx-2 -my-1.5 flex h-11 min-w-11 items-center px-2 font-medium text-muted hover:text-base-content"
        >
          {words.more}
        </button>
      )}
    </>
  );
}
