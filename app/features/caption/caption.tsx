import { useState, type MouseEvent } from "react";
import { Link } from "react-router";
import { LinkedText } from "#app/features/linked-text/linked-text.tsx";
import { useOverflow } from "#app/lib/use-overflow.ts";

type Props = {
  text: string;
  /** where the whole post stands: what "more" leads to without scripts */
  to: string;
};

/** A caption that folds after three lines. */
export function Caption({ text, to }: Props) {
  const [open, setOpen] = useState(false);
  // Before scripts run the length decides; three lines of the column hold about 200 characters.
  const guess = text.length > 200 || text.split("\n").length > 3;
  const { ref, overflows } = useOverflow<HTMLParagraphElement>(guess);

  function unfold(event: MouseEvent) {
    event.preventDefault();
    setOpen(true);
  }

  return (
    <div dir="auto" className="relative">
      <p ref={ref} className={`whitespace-pre-wrap wrap-anywhere ${open ? "" : "line-clamp-3"}`}>
        <LinkedText text={text} />
      </p>
      {!open && overflows && (
        // Laid over the end of the third line, so that nothing moves when it comes or goes.
        <Link
          to={to}
          onClick={unfold}
          aria-label="more of this caption"
          className="absolute end-0 bottom-0 bg-base-100 ps-3 font-medium text-muted before:absolute before:-inset-x-2 before:-inset-y-3 hover:text-base-content"
        >
          … more
        </Link>
      )}
    </div>
  );
}
