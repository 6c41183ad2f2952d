import { useState, type MouseEvent } from "react";
import { Link } from "react-router";
import { LinkedText } from "#app/features/linked-text/linked-text.tsx";
import { useOverflow } from "#app/lib/use-overflow.ts";

type Props = {
  text: string;
  /** where the whole post stands */
  to: string;
  /** the post's own page shows all of it */
  whole?: boolean;
};

/** A text post: written large on paper, like the back of a postcard. */
export function TextPost({ text, to, whole = false }: Props) {
  const [open, setOpen] = useState(whole);
  const { size, lines } = lettering(text);
  const { ref, overflows } = useOverflow<HTMLParagraphElement>(text.length > 700);

  function unfold(event: MouseEvent) {
    event.preventDefault();
    setOpen(true);
  }

  return (
    <div className="px-4 pt-1 pb-3">
      <p
        ref={ref}
        dir="auto"
        className={`whitespace-pre-wrap wrap-anywhere ${size} ${open ? "" : lines}`}
      >
        <LinkedText text={text} />
      </p>
      {!open && overflows && (
        <Link
          to={to}
          onClick={unfold}
          aria-label="more of this text"
          className="mt-1 inline-flex min-h-11 items-center font-medium text-muted hover:text-base-content"
        >
          … more
        </Link>
      )}
    </div>
  );
}

/** Few words are written large, many smaller; what is longer than a card folds. */
function lettering(text: string): { size: string; lines: string } {
  if (text.length <= 90) return { size: "text-3xl/snug", lines: "line-clamp-10" };
  if (text.length <= 280) return { size: "text-2xl/snug", lines: "line-clamp-12" };
  return { size: "text-lg/relaxed", lines: "line-clamp-12" };
}
