import { createHash } from "node:crypto";
import { data, redirect, type RouterContextProvider } from "react-router";
import { isRefusal, refuse, type FieldErrors, type RefusalCode } from "#shared/errors.ts";
import {
  appContext,
  type AnswerOf,
  type Call,
  type CallSchema,
  type PageContext,
  type ReceivedUpload,
  type Sent,
} from "#app/lib/context.server.ts";
import { problemOfRefusal, refusedInit } from "#app/lib/refusals.server.ts";
import { returnParameter, safeReturnPath, signInPath } from "#app/lib/return-path.ts";

/** A submitted form without scripts, and where it came from. */
export type Submission = {
  /** its name */
  form: string;
  fields: Record<string, string | undefined>;
  /** an uploaded file, where the page takes some */
  file: (name: string) => ReceivedUpload | null;
  params: Record<string, string | undefined>;
  query: URLSearchParams;
  /** the page that the form says it is on */
  back: string;
};

type Line<Schema extends CallSchema, Restored extends string, Shown> = {
  /** The call's input, where the form's fields differ from it. By default the fields of the same names. */
  send?: (submission: Submission) => Omit<Sent, "headers">;
  /** where it redirects; home by default */
  to?: string | ((submission: Submission, answer: AnswerOf<Schema>) => string);
  /** the page's data, instead of a redirect */
  shows?: (answer: AnswerOf<Schema>, submission: Submission) => Shown;
  /** where a refusal redirects, instead of back to the form */
  leads?: (code: RefusalCode, submission: Submission) => string | undefined;
  /** Fields whose values come back with a refusal. Without any, a refusal is a page of its own. */
  restores?: readonly Restored[];
  /** where a visitor returns after signing in; without it the page itself shows the prompt */
  visitor?: (submission: Submission) => string;
  /** where a member is redirected if the form is not for members */
  member?: string;
};

/** A form of a page. */
type FormOf<Answer> = (page: PageContext, submission: Submission) => Promise<Answer>;

/** A form that makes a call, and what follows. */
export function form<Schema extends CallSchema, Restored extends string = never, Shown = never>(
  callOf: (calls: PageContext["calls"]) => Call<Schema>,
  { send, to = "/", shows, leads, restores, visitor, member }: Line<Schema, Restored, Shown>,
) {
  return async ({ calls, call, viewer }: PageContext, submission: Submission) => {
    if (member && viewer) return redirect(member);
    if (visitor && !viewer) return redirect(signInPath({ pathname: visitor(submission) }));
    const { fields, params } = submission;
    const all = { ...fields, ...params };
    const sent = { params: all, querystring: fields, body: fields, ...send?.(submission) };
    const headers = keyed(fields["clientKey"], sent);
    return orTyped(submission, restores, async () => {
      const answer = await call(callOf(calls), { ...sent, headers }).catch((error: unknown) => {
        const path = isRefusal(error) && leads?.(error.code, submission);
        throw path ? redirect(path) : error;
      });
      if (shows) return data(shows(answer, submission));
      return redirect(typeof to === "string" ? to : to(submission, answer));
    });
  };
}

/** For actions available on every page: visitors sign in first, and everybody returns to the form's page. */
export const backToPage = {
  to: ({ back }: Submission) => back,
  visitor: ({ back }: Submission) => back,
};

/** Submitted again, a form of the same page with the same text does nothing twice. */
function keyed(clientKey: string | undefined, sent: Omit<Sent, "headers">) {
  if (!clientKey) return {};
  return {
    "idempotency-key": createHash("sha256").update(JSON.stringify(sent)).digest("hex"),
  };
}

/** A refused form, as its page shows it again. */
export type Refused<Restored extends string> = {
  /** which form of the page it was */
  form: string;
  typed: { [Name in Restored]?: string | undefined };
  problem: { code: RefusalCode; message: string; fields: FieldErrors | undefined };
};

/** A form for something no program may do, refused like those that make calls. */
export function act<Answer, Restored extends string = never>(
  work: (page: PageContext, submission: Submission) => Promise<Answer>,
  restores: readonly Restored[] = [],
) {
  return (page: PageContext, submission: Submission) =>
    orTyped(submission, restores, () => work(page, submission));
}

/** The result of a form, or its refusal with the typed values of the fields in `restores`. */
export async function orTyped<Answer, Restored extends string>(
  { form, fields }: Pick<Submission, "form" | "fields">,
  restores: readonly Restored[] | undefined,
  work: () => Promise<Answer>,
) {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (!restores || error.code === "sign-in-required") throw error;
    const typed: Refused<Restored>["typed"] = {};
    for (const name of restores) typed[name] = fields[name];
    const refused: Refused<Restored> = { form, typed, problem: problemOfRefusal(error) };
    return data(refused, refusedInit(error));
  }
}

/** The answer of one of them. */
type AnswerBy<Forms extends Record<string, FormOf<unknown>>> = Awaited<
  ReturnType<Forms[keyof Forms]>
>;

type Args = {
  request: Request;
  params: Record<string, string | undefined>;
  context: Readonly<RouterContextProvider>;
};

type Options = {
  /** the field that names a form */
  named?: string;
  /** rejects those who may submit none of them, before anything is read */
  allow?: (page: PageContext) => unknown;
  maxFiles?: number;
};

/** The name of a form that sends none. */
export const unnamed = "";

/**
 * The action of a page: its forms, by the name that each sends as `intent`. A form makes the very call that
 * scripts and programs make (server/api), which decides who may make it, what it takes and what it is
 * refused with.
 */
export function formAction<Forms extends Record<string, FormOf<unknown>>>(
  forms: Forms,
  { named = "intent", allow, ...bounds }: Options = {},
) {
  return async ({ request, params, context }: Args): Promise<AnswerBy<Forms>> => {
    const page = context.get(appContext);
    allow?.(page);
    const { fields, file } = await page.readForm(request, bounds);
    const name = fields[named] ?? unnamed;
    const chosen = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (!chosen) throw refuse("input-invalid");
    const query = new URL(request.url).searchParams;
    const back = safeReturnPath(fields[returnParameter]);
    const submission = { form: name, fields, file, params, query, back };
    return (await chosen(page, submission)) as AnswerBy<Forms>;
  };
}
