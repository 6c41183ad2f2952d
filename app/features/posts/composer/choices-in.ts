import { choicesFrom, postChoices, type PostChoices } from "#shared/posts.ts";

/** The choices in a form, with or without scripts: a checkbox is present only where it is ticked. */
export function choicesIn(form: FormData | Record<string, unknown>): PostChoices {
  return choicesFrom((name) => {
    const value = form instanceof FormData ? (form.get(name) ?? undefined) : form[name];
    return typeof postChoices[name].values?.[0] === "boolean" ? value !== undefined : value;
  });
}
