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
import { orRefusalPage, refusalPage, refusedInit } from "#app/lib/refusals.server.ts";
import { returnParameter, safeReturnPath, signInPath } from "#app/lib/return-path.ts";

/** What a form without scripts brought, and where to. */
export type Submission = {
  /** its name */
  form: string;
  fields: Record<string, string | undefined>;
  /** a file that came, where the page takes some */
  file: (name: string) => ReceivedUpload | null;
  params: Record<string, string | undefined>;
  query: URLSearchParams;
  /** where the form says that it stands */
  back: string;
};

type Line<Schema extends CallSchema, Restored extends string, Shown> = {
  /** What the call takes, where the form says it in other words. Else it is what has the same name. */
  send?: (submission: Submission) => Omit<Sent, "headers">;
  /** where it leads; home unless said */
  to?: string | ((submission: Submission, answer: AnswerOf<Schema>) => string);
  /** what the page shows instead */
  shows?: (answer: AnswerOf<Schema>, submission: Submission) => Shown;
  /** where a refusal leads, if not back to the form */
  leads?: (code: RefusalCode, submission: Submission) => string | undefined;
  /** Fields that come back to the page with a refusal. Without any, a refusal is a page of its own. */
  restores?: readonly Restored[];
  /** where a visitor comes back to after signing in; without it the page itself asks them to */
  visitor?: (submission: Submission) => string;
  /** where a member is led, whom the form is not for */
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

/** For what one may do wherever one is: visitors sign in first, and everybody is back where the form stands. */
export const backToPage = {
  to: ({ back }: Submission) => back,
  visitor: ({ back }: Submission) => back,
};

/** Sent again, a form of the same page with the same words does nothing twice. */
function keyed(clientKey: string | undefined, sent: Omit<Sent, "headers">) {
  if (!clientKey) return {};
  return {
    "idempotency-key": createHash("sha256").update(JSON.stringify(sent)).digest("hex"),
  };
}

/** A form that was refused, as its page shows it again. */
export type Refused<Restored extends string> = {
  /** which form of the page it was */
  form: string;
  typed: { [Name in Restored]?: string | undefined };
  problem: { code: RefusalCode; message: string; fields: FieldErrors | undefined };
};

/** A form of what no program may do, refused as those that make calls are. */
export function act<Answer, Restored extends string = never>(
  work: (page: PageContext, submission: Submission) => Promise<Answer>,
  restores: readonly Restored[] = [],
) {
  return (page: PageContext, submission: Submission) =>
    orTyped(submission, restores, () => work(page, submission));
}

/** What a form does, or its refusal with what was typed into the fields `keeps`. */
export async function orTyped<Answer, Restored extends string>(
  { form, fields }: Pick<Submission, "form" | "fields">,
  restores: readonly Restored[] | undefined,
  work: () => Promise<Answer>,
) {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (!restores || error.code === "sign-in-required") throw refusalPage(error);
    const typed: Refused<Restored>["typed"] = {};
    for (const name of restores) typed[name] = fields[name];
    const { code, message, fields: wrong } = error;
    const refused: Refused<Restored> = { form, typed, problem: { code, message, fields: wrong } };
    return data(refused, refusedInit(error));
  }
}

/** What one of them answers. */
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
  /** refuses who may send none of them, before anything is read */
  allow?: (page: PageContext) => unknown;
  maxFiles?: number;
};

/** The name of a form that sends none. */
export const unnamed = "";

/**
 * The action of a page: its forms, by the name that each sends as `intent`. A form makes the very call that
 * scripts and programs make (server/api), which says who may make it, what it takes and what it refuses with.
 */
export function formAction<Forms extends Record<string, FormOf<unknown>>>(
  forms: Forms,
  { named = "intent", allow, ...bounds }: Options = {},
) {
  return async ({ request, params, context }: Args): Promise<AnswerBy<Forms>> => {
    const page = context.get(appContext);
    allow?.(page);
    const { fields, file } = await orRefusalPage(page.readForm(request, bounds));
    const name = fields[named] ?? unnamed;
    const chosen = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (!chosen) throw refusalPage(refuse("input-invalid"));
    const query = new URL(request.url).searchParams;
    const back = safeReturnPath(fields[returnParameter]);
    const submission = { form: name, fields, file, params, query, back };
    return (await chosen(page, submission)) as AnswerBy<Forms>;
  };
}
