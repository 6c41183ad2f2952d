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
export type Came = {
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

type Line<Schema extends CallSchema, Kept extends string, Shown> = {
  /** What the call takes, where the form says it in other words. Else it is what has the same name. */
  send?: (came: Came) => Omit<Sent, "headers">;
  /** where it leads; home unless said */
  to?: string | ((came: Came, answer: AnswerOf<Schema>) => string);
  /** what the page shows instead */
  shows?: (answer: AnswerOf<Schema>, came: Came) => Shown;
  /** where a refusal leads, if not back to the form */
  leads?: (code: RefusalCode, came: Came) => string | undefined;
  /** Fields that come back to the page with a refusal. Without any, a refusal is a page of its own. */
  keeps?: readonly Kept[];
  /** where a visitor comes back to after signing in; without it the page itself asks them to */
  visitor?: (came: Came) => string;
  /** where a member is led, whom the form is not for */
  member?: string;
};

/** A form of a page. */
type FormOf<Answer> = (page: PageContext, came: Came) => Promise<Answer>;

/** A form that makes a call, and what follows. */
export function form<Schema extends CallSchema, Kept extends string = never, Shown = never>(
  callOf: (calls: PageContext["calls"]) => Call<Schema>,
  { send, to = "/", shows, leads, keeps, visitor, member }: Line<Schema, Kept, Shown>,
) {
  return async ({ calls, call, viewer }: PageContext, came: Came) => {
    if (member && viewer) return redirect(member);
    if (visitor && !viewer) return redirect(signInPath({ pathname: visitor(came) }));
    const { fields, params } = came;
    const all = { ...fields, ...params };
    const sent = { params: all, querystring: fields, body: fields, ...send?.(came) };
    const headers = keyed(fields["clientKey"], sent);
    return orTyped(came, keeps, async () => {
      const answer = await call(callOf(calls), { ...sent, headers }).catch((error: unknown) => {
        const path = isRefusal(error) && leads?.(error.code, came);
        throw path ? redirect(path) : error;
      });
      if (shows) return data(shows(answer, came));
      return redirect(typeof to === "string" ? to : to(came, answer));
    });
  };
}

/** For what one may do wherever one is: visitors sign in first, and everybody is back where the form stands. */
export const comesBack = {
  to: ({ back }: Came) => back,
  visitor: ({ back }: Came) => back,
};

/** Sent again, a form of the same page with the same words does nothing twice. */
function keyed(clientKey: string | undefined, sent: Omit<Sent, "headers">) {
  if (!clientKey) return {};
  return {
    "idempotency-key": createHash("sha256").update(JSON.stringify(sent)).digest("hex"),
  };
}

/** A form that was refused, as its page shows it again. */
export type Refused<Kept extends string> = {
  /** which form of the page it was */
  form: string;
  typed: { [Name in Kept]?: string | undefined };
  problem: { code: RefusalCode; message: string; fields: FieldErrors | undefined };
};

/** A form of what no program may do, refused as those that make calls are. */
export function act<Answer, Kept extends string = never>(
  work: (page: PageContext, came: Came) => Promise<Answer>,
  keeps: readonly Kept[] = [],
) {
  return (page: PageContext, came: Came) => orTyped(came, keeps, () => work(page, came));
}

/** What a form does, or its refusal with what was typed into the fields `keeps`. */
export async function orTyped<Answer, Kept extends string>(
  { form, fields }: Pick<Came, "form" | "fields">,
  keeps: readonly Kept[] | undefined,
  work: () => Promise<Answer>,
) {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (!keeps || error.code === "sign-in-required") throw refusalPage(error);
    const typed: Refused<Kept>["typed"] = {};
    for (const name of keeps) typed[name] = fields[name];
    const { code, message, fields: wrong } = error;
    const refused: Refused<Kept> = { form, typed, problem: { code, message, fields: wrong } };
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
    const came = { form: name, fields, file, params, query, back };
    return (await chosen(page, came)) as AnswerBy<Forms>;
  };
}
