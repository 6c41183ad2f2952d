import { useState } from "react";
import * as words from "#messages/posts.json";
import { instead } from "#app/lib/instead.ts";
import { LinkedText } from "#app/features/posts/linked-text.tsx";
import { useOverflow } from "#app/lib/lists/use-overflow.ts";
import { Link } from "#app/ui/link.tsx";

type Props = {
  text: string;
  /** of the text, where it is known */
  language: string | null;
  mentions: readonly string[];
  /** address of the whole text, for "more" without scripts */
  to: string;
  /** the accessible name of "more", which says of what */
  more: string;
  /** after how many lines it folds: a line-clamp class, or a height where "more" brings its own dots */
  lines: string;
  /** whether it will overflow, until it can be measured */
  long: boolean;
  whole?: boolean;
  className?: string;
  /** "more" lies over the end of the last line, so that nothing moves when it appears or disappears */
  overlaid?: boolean;
};

const linkClasses = {
  // A letter below it fades out instead of being cut.
  overlaid: "fades-over absolute end-0 bottom-0",
  below: "mt-1 inline-flex min-h-11 items-center",
};

/** Unfolded texts, by their key: a card that is rendered again shows it unfolded. Browser only. */
const unfolded = new Set<string>();

/** Text that folds after some lines, with a "more" that unfolds it. */
export function ExpandableText(props: Props) {
  const {
    text,
    language,
    mentions,
    to,
    more,
    lines,
    long,
    whole = false,
    className = "",
    overlaid = false,
  } = props;
  const [open, setOpen] = useState(whole || unfolded.has(to));
  const { ref, overflows } = useOverflow<HTMLParagraphElement>(long);
  return (
    <div dir="auto" className="relative">
      <p
        ref={ref}
        lang={language ?? undefined}
        className={`whitespace-pre-wrap wrap-anywhere ${className} ${open ? "" : `${lines} print:line-clamp-none print:max-h-none`}`}
      >
        <LinkedText text={text} mentions={mentions} />
      </p>
      {!open && overflows && (
        <Link
          to={to}
          aria-label={more}
          className={`font-medium text-muted no-print hover:text-base-content ${linkClasses[overlaid ? "overlaid" : "below"]}`}
          data-unfolds=""
          onClick={instead(() => {
            unfolded.add(to);
            setOpen(true);
          })}
        >
          {words.more}
        </Link>
      )}
    </div>
  );
}
