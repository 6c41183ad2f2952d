import { Suspense, useEffect, useRef, useState } from "react";
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
  const [open, setOpen] = useState(refused !== undefined);
  const details = useRef<HTMLDetailsElement>(null);
  // It may have been opened before the page's scripts were there.
  useEffect(() => setOpen(details.current?.open ?? false), []);
  return (
    <details
      ref={details}
      className="mt-4 border-t border-line"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="min-h-11 cursor-pointer py-2 text-sm text-muted">
        {note ? "Your note" : "Add a note"} <span className="text-xs">(only you see it)</span>
        {note && (
          <span
            dir="auto"
            className="mt-1 block whitespace-pre-wrap text-base-content wrap-anywhere"
          >
            {note}
          </span>
        )}
      </summary>
      {open ? (
        <Suspense fallback={null}>
          <PrivateNoteForm {...props} />
        </Suspense>
      ) : (
        <noscript>
          <PrivateNoteForm {...props} />
        </noscript>
      )}
    </details>
  );
}
