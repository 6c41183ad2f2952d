import { refuse } from "#shared/errors.ts";

/** Every address that is no screen of ours, for every method: a real 404. */
export function loader() {
  throw refuse("not-found");
}

export const action = loader;

export default function NotFound() {
  return null;
}
