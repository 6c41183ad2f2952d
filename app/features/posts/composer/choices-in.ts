import { choicesFrom, postChoices, type PostChoices } from "#shared/posts.ts";

/** What a form says, be it the browser's own or one that came from elsewhere: a box is there where it is ticked. */
export function choicesIn(form: FormData | Record<string, unknown>): PostChoices {
  return choicesFrom((name) => {
    const said = form instanceof FormData ? (form.get(name) ?? undefined) : form[name];
    return typeof postChoices[name].values[0] === "boolean" ? said !== undefined : said;
  });
}
