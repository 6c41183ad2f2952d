type StampProps = {
  className?: string;
  /** the postmark lands on it repeatedly: something is loading */
  marked?: boolean;
};

/** The outline of a stamp of 36 × 44, clockwise, with half circles of radius 2 bitten out. */
const outline = `M2 2h4${"a2 2 0 0 0 4 0h4".repeat(4)}v4${"a2 2 0 0 0 0 4v4".repeat(5)}h-4${"a2 2 0 0 0-4 0h-4".repeat(4)}v-4${"a2 2 0 0 0 0-4v-4".repeat(5)}z`;

/** Our mark: a stamp with hills, a sun and a perforated edge, in the theme's colours. */
export function Stamp({ className = "", marked = false }: StampProps) {
  return (
    <svg viewBox="0 0 40 48" aria-hidden="true" className={`fill-none ${className}`}>
      <path d={outline} className="fill-primary" />
      <path d="M7 8h26v32H7z" className="fill-primary-content" />
      <circle cx="25" cy="17" r="4.5" className="fill-warning" />
      <path d="M7 33l9-11 7 8 4-4 6 7v7H7z" className="fill-primary" />
      {marked ? (
        <g className="stroke-base-content motion-postmark" strokeWidth="1.6" strokeLinecap="round">
          <circle cx="30" cy="36" r="9" />
          <circle cx="30" cy="36" r="5.5" />
          <path d="M2 30q4-3 8 0t8 0M2 35q4-3 8 0t8 0M2 40q4-3 8 0t8 0" />
        </g>
      ) : null}
    </svg>
  );
}

/** The wordmark of every page. */
export function Wordmark({ className = "" }: { className?: string }) {
  return <span className={`font-wordmark ${className}`}>Postcard</span>;
}
