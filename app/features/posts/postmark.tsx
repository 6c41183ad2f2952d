import type { PostView } from "#shared/views.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { momentOf, shortDay } from "#app/lib/text/times.ts";
import { Avatar } from "#app/ui/avatar.tsx";

/** The author's avatar as a stamp. */
export function PortraitStamp({ post: { author } }: { post: PostView }) {
  return (
    <span className="block rotate-3 [filter:drop-shadow(0_3px_3px_rgb(0_0_0/0.12))]">
      <span className="portrait block bg-white perforated">
        <Avatar name={author.name} image={author.avatar} size="stamp" />
      </span>
    </span>
  );
}

type PostmarkProps = { at: number; className?: string };

/** The day, in the rings of a postmark: over the lower corner of a stamp. */
export function Postmark({ at, className = "absolute -start-8 top-6 w-12" }: PostmarkProps) {
  const moment = momentOf(at, useTimeZone());
  const day = shortDay(moment).toUpperCase();
  return (
    <svg
      viewBox="0 0 60 60"
      aria-hidden="true"
      className={`postmark -rotate-12 fill-none stroke-danger ${className}`}
      strokeWidth="2"
    >
      <circle cx="30" cy="30" r="28" />
      <circle cx="30" cy="30" r="22" strokeWidth="1" />
      {/* Ink on a photo is illegible: the text has a rim in the colour of paper. */}
      <g
        className="fill-danger stroke-paper font-bold"
        paintOrder="stroke"
        strokeWidth="4"
        strokeLinejoin="round"
        textAnchor="middle"
        // A month of four letters and more still stands within the inner ring.
        fontSize={day.length > 6 ? 9 : 11}
      >
        <text x="30" y="30">
          {day}
        </text>
        <text x="30" y="42" fontSize="9">
          {moment.year}
        </text>
      </g>
    </svg>
  );
}
