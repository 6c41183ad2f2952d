import { useEffect, useRef } from "react";
import { Form, useSubmit } from "react-router";
import * as words from "#messages/search.json";
import { pauseMs, SearchField } from "#app/features/search/search-field.tsx";

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
        <SearchField
          label={words.people}
          placeholder={words.name}
          defaultValue={query ?? ""}
          className="w-full"
        />
      </Form>
    </search>
  );
}
