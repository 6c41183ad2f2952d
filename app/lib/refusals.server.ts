import { data, type RouterContextProvider } from "react-router";
import { refuse, type FieldErrors, type Refusal, type RefusalCode } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import { appContext } from "#app/lib/context.server.ts";
import { inLanguage } from "#app/lib/text/refusal-sentences.ts";

/** The part of a refusal that an error page needs. */
export type RefusalData = { code: RefusalCode; message: string };

/**
 * A refusal that is a page of its own even where a form would show it again. Whatever else a loader or an
 * action throws becomes its page by itself (server/http/refusal-pages.ts).
 */
export function refusalPage(refusal: Refusal) {
  const { code, message } = refusal;
  return data<RefusalData>({ code, message: inLanguage(message) }, refusedInit(refusal));
}

/** What a page's answer says of a refusal, in the language of the page. */
export function problemOfRefusal({
  code,
  message,
  fields,
}: Pick<Refusal, "code" | "message" | "fields">) {
  const said = Object.entries(fields ?? {}).map(([name, text]) => [name, inLanguage(text)]);
  const inFields: FieldErrors | undefined = fields && Object.fromEntries(said);
  return { code, message: inLanguage(message), fields: inFields };
}

/** Status and headers of an answer with a refusal and the typed values. */
export function refusedInit({ status, retryAfter }: Pick<Refusal, "status" | "retryAfter">) {
  const headers = new Headers();
  if (retryAfter !== undefined) headers.set("Retry-After", String(retryAfter));
  return { status, headers };
}

/** The member of this request. A visitor gets the prompt to sign in, in place, with status 401. */
export function requireMember({ viewer }: { viewer: Viewer | null }): Viewer {
  if (!viewer) throw refuse("sign-in-required");
  return viewer;
}

/** What a page for members needs of the server; visitors are asked to sign in. */
export function memberPage(context: Readonly<RouterContextProvider>) {
  const page = context.get(appContext);
  return { ...page, member: requireMember(page) };
}

/** For loaders: an unknown id or address is a real 404. */
export function orNotFound<Found>(found: Found | null | undefined): Found {
  if (found === null || found === undefined) throw refuse("not-found");
  return found;
}
