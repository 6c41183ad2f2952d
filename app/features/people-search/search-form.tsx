import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { Form, useNavigate } from "react-router";
import { isBlank } from "#shared/text.ts";
import { MagnifyingGlassIcon } from "#app/ui/icons.ts";
import { TextField } from "#app/ui/text-field.tsx";

/** Quiet time after the last letter before a search starts by itself, milliseconds. */
const pauseMs = 300;

type Props = {
  /** what the address asks for; null before the first search */
  query: string | null;
};

/** A GET form: the address holds the query. With scripts it searches while one types. */
export function SearchForm({ query }: Props) {
  const navigate = useNavigate();
  const [missing, setMissing] = useState(query !== null && isBlank(query));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const typed = useRef(query ?? "");

  useEffect(() => () => clearTimeout(timer.current), []);

  // Back and forward change the address under the field.
  useEffect(() => {
    if (!field.current || (query ?? "") === typed.current) return;
    typed.current = query ?? "";
    field.current.value = query ?? "";
  }, [query]);

  function search(text: string): void {
    typed.current = text;
    const to = isBlank(text) ? "/search" : `/search?${new URLSearchParams({ q: text })}`;
    // One entry in the history for a whole word, not one a letter.
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

  return (
    <search>
      <Form action="/search" onSubmit={submit} noValidate className="p-4">
        <TextField
          ref={field}
          name="q"
          type="search"
          label="Search people by name"
          placeholder="Name"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          required
          defaultValue={query ?? ""}
          error={missing ? "required*" : undefined}
          onChange={(event) => type(event.currentTarget.value)}
          after={
            <button type="submit" aria-label="Search" title="Search" className="btn btn-ghost">
              <MagnifyingGlassIcon className="size-5" aria-hidden />
            </button>
          }
        />
      </Form>
    </search>
  );
}
