import {
  useEffect,
  useRef,
  useState,
  type ReactNode,
  type SubmitEvent,
  type KeyboardEvent,
} from "react";
import { Form, useNavigate, useNavigation } from "react-router";
import { isBlank } from "#shared/text.ts";
import { required } from "#messages/identity.json";
import * as words from "#messages/search.json";
import { pauseMs, SearchField } from "#app/features/search/search-field.tsx";

type Props = {
  /** the query in the address; null before the first search */
  query: string | null;
  /** the people found */
  children: ReactNode;
};

/**
 * A GET form: the address holds the query. With scripts it searches while one types; each search cancels
 * the one before, Escape the current one.
 */
export function SearchForm({ query, children }: Props) {
  const navigate = useNavigate();
  const { location } = useNavigation();
  const searching = location?.pathname.toLowerCase() === "/search";
  const [missing, setMissing] = useState(query !== null && isBlank(query));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const typed = useRef(query ?? "");

  useEffect(() => () => clearTimeout(timer.current), []);

  // Who leads elsewhere meanwhile is not held back by a search.
  const leaving = location !== undefined && !searching;
  useEffect(() => {
    if (leaving) clearTimeout(timer.current);
  }, [leaving]);

  // Back and forward change the address without changing the field.
  useEffect(() => {
    if (!field.current || (query ?? "") === typed.current) return;
    typed.current = query ?? "";
    field.current.value = query ?? "";
  }, [query]);

  function search(text: string): void {
    typed.current = text;
    const to = isBlank(text) ? "/search" : `/search?${new URLSearchParams({ q: text })}`;
    // One history entry for a whole word, not one for each character.
    void navigate(to, { replace: query !== null, preventScrollReset: true });
  }

  function type(text: string): void {
    clearTimeout(timer.current);
    if (missing) setMissing(isBlank(text));
    timer.current = setTimeout(() => search(text), pauseMs);
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    clearTimeout(timer.current);
    const text = field.current?.value ?? "";
    setMissing(isBlank(text));
    if (isBlank(text)) field.current?.focus();
    else search(text);
  }

  function empty(): void {
    clearTimeout(timer.current);
    setMissing(false);
    if (field.current) field.current.value = "";
    // Navigating away cancels a running search.
    if (query !== null || searching) search("");
    else typed.current = "";
  }

  return (
    // The keys move between the field and links that can be reached without them too.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={useResultKeys(empty)}>
      <search>
        <Form action="/search" onSubmit={submit} noValidate className="p-4 md:px-0">
          <SearchField
            ref={field}
            label={words.peopleOrHashtags}
            placeholder={words.nameOrHashtag}
            required
            defaultValue={query ?? ""}
            error={missing ? required : undefined}
            onChange={(event) => type(event.currentTarget.value)}
            searching={searching}
          />
        </Form>
      </search>
      {children}
    </div>
  );
}

/**
 * Arrow keys move from the field through the found accounts and back; Enter opens one, as on every link.
 * Escape moves back to the field, and there `onEscape` empties it. Wrap both in the element that gets this.
 */
function useResultKeys(onEscape: () => void) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    const { key, currentTarget, target, nativeEvent } = event;
    // Keys that an input method uses to compose a character are its own.
    if (nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const field = currentTarget.querySelector<HTMLInputElement>('input[type="search"]');
    // Not the link below a Follow button, which signs up.
    const results = [...currentTarget.querySelectorAll<HTMLAnchorElement>("li > a[href]")];
    const at = results.findIndex((link) => link === target);
    const inField = target === field;
    if (!inField && at === -1) return;

    if (key === "ArrowDown") results[at + 1]?.focus();
    else if (key === "ArrowUp" && !inField) (results[at - 1] ?? field)?.focus();
    else if (key === "Escape" && inField) onEscape();
    else if (key === "Escape") field?.focus();
    else return;
    event.preventDefault();
  };
}
