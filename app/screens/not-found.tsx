import { refuse } from "#shared/errors.ts";
import { refusalPage } from "#app/lib/refusals.server.ts";

/** Every address that is no screen of ours, for every method: a real 404. */
export function loader() {
  throw refusalPage(refuse("not-found"));
}

export const action = loader;

export default function NotFound() {
  return null;
}
