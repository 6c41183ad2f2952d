import { redirect } from "react-router";
import { appContext } from "#app/lib/context.server.ts";
import { orRefusalPage } from "#app/lib/refusals.server.ts";
import { returnParameter, safeReturnPath, signInPath } from "#app/lib/return-path.ts";
import type { Route } from "./+types/dismiss-suggestion.ts";

/** Where the × on somebody to follow leads without scripts; there is nothing to read here. */
export function loader() {
  return redirect("/");
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  const { fields } = await orRefusalPage(readForm(request));
  const back = safeReturnPath(fields[returnParameter]);
  if (!viewer) throw redirect(signInPath({ pathname: back }));
  await orRefusalPage(features.suggestions.dismiss(viewer, params.id));
  throw redirect(back);
}

/** Only a refusal is ever shown here, in its place. */
export default function DismissSuggestion() {
  return null;
}
