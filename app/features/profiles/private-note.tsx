import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import * as words from "#messages/profile.json";
import type { Props } from "#app/features/profiles/private-note-form.tsx";
import { lazyContent, notifyUnreachable } from "#app/ui/lazy-component.tsx";

/** Most profiles are read without a note. */
const PrivateNoteForm = lazyContent(
  async () => (await import("#app/features/profiles/private-note-form.tsx")).PrivateNoteForm,
  notifyUnreachable,
);

/** What the reader notes about somebody for themselves, on that profile. */
export function PrivateNote(props: Props) {
  const { note, refused } = props;
  // From its first opening on the form stays, with what was typed. Where its code could not be loaded, the next
  // opening asks for it again.
  const [tries, setTries] = useState(refused === undefined ? 0 : 1);
  const details = useRef<HTMLDetailsElement>(null);
  const look = useCallback(() => {
    const { current } = details;
    if (current?.open && !current.querySelector("form")) setTries((before) => before + 1);
  }, []);
  // It may have been opened before the page's scripts were there.
  useEffect(look, [look]);
  return (
    <details ref={details} className="mt-2" open={refused !== undefined} onToggle={look}>
      <summary className="min-h-11 cursor-pointer py-2 text-sm text-muted">
        {note ? words.yourNote : words.addNote} <span className="text-xs">{words.onlyYouSee}</span>
        {note && (
          <span
            dir="auto"
            className="mt-1 block whitespace-pre-wrap text-base-content wrap-anywhere"
          >
            {note}
          </span>
        )}
      </summary>
      {tries > 0 ? (
        <Suspense fallback={null}>
          <PrivateNoteForm key={tries} {...props} />
        </Suspense>
      ) : (
        <noscript>
          <PrivateNoteForm {...props} />
        </noscript>
      )}
    </details>
  );
}
