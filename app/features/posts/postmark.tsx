/**
 * The corner of a postcard: an empty stamp with a perforated edge, cancelled by waves. A phone has
 * room for the stamp alone.
 */
export function Postmark() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 120 64"
      preserveAspectRatio="xMaxYMid slice"
      className="h-11 w-9 shrink-0 text-base-content/25 sm:w-20.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
    >
      <rect x="70" y="3" width="46" height="58" strokeDasharray="3 4" strokeLinecap="round" />
      <rect x="77" y="10" width="32" height="44" strokeWidth="1.5" />
      <circle cx="58" cy="34" r="21" />
      <circle cx="58" cy="34" r="14" strokeWidth="1" />
      <path d="M2 22c7-5 11 5 18 0s11 5 18 0M2 34c7-5 11 5 18 0s11 5 18 0M2 46c7-5 11 5 18 0s11 5 18 0" />
    </svg>
  );
}
