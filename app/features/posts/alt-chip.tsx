import { useId } from "react";
import * as words from "#messages/posts.json";

/**
 * The author's alt text of a photo, for everybody who opens it. The browser's own popover: it opens and
 * closes without scripts, on Escape and outside presses.
 */
export function AltChip({ alt }: { alt: string }) {
  const id = useId();
  if (!alt) return null;
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={words.altText}
        className="absolute start-0 bottom-0 grid size-13 place-items-center no-print -outline-offset-4"
      >
        <span className="rounded bg-black/60 px-1.5 py-0.5 text-xs font-semibold tracking-wide text-white">
          {words.alt}
        </span>
      </button>
      <p id={id} popover="auto" dir="auto" className="alt-text">
        {alt}
      </p>
    </>
  );
}
