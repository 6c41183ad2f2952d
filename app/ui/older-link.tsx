import * as words from "#messages/ui.json";
import { ButtonLink } from "#app/ui/button.tsx";

type Props = {
  cursor: string | null;
  /** other query parameters of the screen's address */
  query?: Record<string, string>;
  children?: string;
};

/** Links to the next page of a list, on the same screen. */
export function OlderLink({ cursor, query, children = words.older }: Props) {
  if (cursor === null) return null;
  return <ButtonLink to={`?${new URLSearchParams({ ...query, cursor })}`}>{children}</ButtonLink>;
}
