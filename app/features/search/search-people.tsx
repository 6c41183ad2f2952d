import { useEffect, useRef } from "react";
import { Form, useSubmit } from "react-router";
import * as words from "#messages/search.json";
import { MagnifyingGlassIcon } from "#app/ui/icons.ts";
import { TextField } from "#app/ui/text-field.tsx";

/** Pause after the last character before a search starts by itself, milliseconds. */
const pauseMs = 300;

type Props = {
  query: string | null;
  /** the page that shows who was found */
  at: string;
};

/** A name to search for, in a list on the same page: by itself while one types. */
export function SearchPeople({ query, at }: Props) {
  const submit = useSubmit();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <search>
      <Form
        action={at}
        preventScrollReset
        onChange={({ currentTarget }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => {
            void submit(currentTarget, { replace: true, preventScrollReset: true });
          }, pauseMs);
        }}
      >
        <TextField
          name="q"
          type="search"
          label={words.people}
          placeholder={words.name}
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          defaultValue={query ?? ""}
          className="w-full"
          after={
            <button
              type="submit"
              aria-label={words.search}
              title={words.search}
              className="btn btn-ghost"
            >
              <MagnifyingGlassIcon className="size-5" aria-hidden />
            </button>
          }
        />
      </Form>
    </search>
  );
}
