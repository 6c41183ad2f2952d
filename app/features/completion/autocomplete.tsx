import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { wordAt, type Word } from "#app/features/completion/word-at.ts";
import { lazyComponent } from "#app/ui/lazy-component.tsx";

/** The list of options loads with the first @ or #; where it cannot be loaded, one goes on writing. */
const AutocompleteList = lazyComponent(
  async () => (await import("#app/features/completion/autocomplete-list.tsx")).AutocompleteList,
  ({ onClose }) => onClose(),
);

/** The field and the word in it. `left`: the list was closed, and stays closed for this word. */
type Writing = Word & { page: string; field: HTMLTextAreaElement; left?: boolean };

/** Watches the fields marked with data-completes for names and tags that are being written. */
export function Autocomplete() {
  const [writing, setWriting] = useState<Writing | null>(null);
  const { key: page } = useLocation();

  useEffect(() => {
    const look = (opens: boolean): void => {
      const field = document.activeElement;
      const marked = field instanceof HTMLTextAreaElement && "completes" in field.dataset;
      const caret = marked && field.selectionStart === field.selectionEnd && field.selectionEnd;
      const word = marked && typeof caret === "number" ? wordAt(field.value, caret) : null;
      setWriting((before) => {
        if (!word || !marked) return null;
        const same = before?.field === field && before.start === word.start;
        if (!same && !opens) return null;
        return { ...word, page, field, left: same && before.left === true };
      });
    };
    const type = () => look(true);
    // Moving the caret opens nothing: an open list only follows, or closes.
    const move = () => look(false);
    const left = new AbortController();
    const { signal } = left;
    document.addEventListener("input", type, { signal });
    document.addEventListener("selectionchange", move, { signal });
    document.addEventListener("focusout", move, { signal });
    return () => left.abort();
  }, [page]);

  if (!writing || writing.left || writing.page !== page) return null;
  const { field, mark, typed, start } = writing;
  return (
    <AutocompleteList
      key={`${mark}${start}`}
      {...{ field, mark, typed, start }}
      onClose={() => setWriting((now) => now && { ...now, left: true })}
    />
  );
}
