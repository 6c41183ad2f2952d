import { redirect } from "react-router";
import { backToPage, form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";

/** The action of the × on a suggested account without scripts; there is nothing to read here. */
export function loader() {
  return redirect("/");
}

export const action = formAction({
  [unnamed]: form(({ suggestions }) => suggestions.dismiss, backToPage),
});

/** Only a refusal is ever shown here. */
export default function DismissSuggestion() {
  return null;
}
