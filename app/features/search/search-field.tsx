import type { ComponentProps } from "react";
import { search } from "#messages/search.json";
import { MagnifyingGlassIcon } from "#app/ui/icons.ts";
import { Spinner } from "#app/ui/spinner.tsx";
import { TextField } from "#app/ui/text-field.tsx";

/** Pause after the last character before a search starts by itself, milliseconds. */
export const pauseMs = 300;

type Props = ComponentProps<typeof TextField> & { searching?: boolean };

/** What to search for, with the button that does. */
export const SearchField = ({ searching = false, ...field }: Props) => (
  <TextField
    name="q"
    type="search"
    enterKeyHint="search"
    autoComplete="off"
    autoCapitalize="off"
    spellCheck={false}
    {...field}
    after={
      <button type="submit" aria-label={search} title={search} className="btn btn-ghost">
        {searching ? <Spinner /> : <MagnifyingGlassIcon className="size-5" aria-hidden />}
      </button>
    }
  />
);
