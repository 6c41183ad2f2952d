import { useState } from "react";
import type { CommentView } from "#shared/views.ts";
import * as words from "#messages/comments.json";
import { LinkedText } from "#app/features/posts/linked-text.tsx";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { useOverflow } from "#app/lib/lists/use-overflow.ts";

const text = "whitespace-pre-wrap wrap-anywhere";

type Props = Pick<CommentView, "body" | "language" | "mentions">;

/** The text of a comment. Long ones fold, once there is a script that can unfold them. */
export function CommentBody(props: Props) {
  const { body, language, mentions } = props;
  const long = body.length > 400 || body.split("\n").length > 8;
  if (long) return <LongBody {...props} />;
  return (
    <p dir="auto" lang={language ?? undefined} className={text}>
      <LinkedText text={body} mentions={mentions} />
    </p>
  );
}

function LongBody({ body, language, mentions }: Props) {
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
        className={`${text} ${folded ? "line-clamp-8" : ""}`}
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
