import { ButtonLink } from "#app/ui/button.tsx";

type Props = {
  cursor: string | null;
  /** what else the address of the screen says */
  query?: Record<string, string>;
  children?: string;
};

/** Leads to what follows of a list, on the same screen. */
export function OlderLink({ cursor, query, children = "Older" }: Props) {
  if (cursor === null) return null;
  return <ButtonLink to={`?${new URLSearchParams({ ...query, cursor })}`}>{children}</ButtonLink>;
}
