import { useLocation } from "react-router";
import { returnParameter } from "#app/lib/return-path.ts";

/** In a form that is sent without scripts: leads back to this page, and to what is `at` on it. */
export function BackHere({ at }: { at?: string }) {
  const { pathname, search } = useLocation();
  const back = pathname + search + (at ? `#${at}` : "");
  return <input type="hidden" name={returnParameter} value={back} />;
}
