import { data, type RouterContextProvider } from "react-router";
import { isRefusal, refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import { appContext, type PageContext } from "#app/lib/context.server.ts";
import {
  formAction,
  orTyped,
  type Submission,
  type Refused,
} from "#app/lib/forms/form-action.server.ts";
import { refusalPage, requireMember } from "#app/lib/refusals.server.ts";

/** Visitors are asked to sign in; for other members the page does not exist. */
function requireOperator({ viewer }: Pick<PageContext, "viewer">): Viewer {
  const member = requireMember({ viewer });
  if (!member.operator) throw refuse("not-found");
  return member;
}

/** What a page for operators needs of the server. */
export function operatorPage(context: Readonly<RouterContextProvider>) {
  const page = context.get(appContext);
  return { ...page, member: requireOperator(page) };
}

/** `links` are shown once. */
type Done = { message: string; links?: string[] };
/** The answer of a form of an operator's page: its result, or why it was refused. */
export type FormResult = Refused<string> | (Done & { form: string });

type Work = (
  submission: Submission & {
    page: PageContext;
    dashboard: PageContext["features"]["dashboard"];
    operator: { viewer: Viewer; password: string };
  },
) => Promise<Done>;

/** The action of an operator's page: what each of its forms does. */
export function operatorAction(works: Record<string, Work>) {
  const forms = Object.entries(works).map(([name, work]) => [name, operatorForm(work)] as const);
  return formAction(Object.fromEntries(forms), { allow: requireOperator });
}

/** What was typed comes back with a refusal, except passwords. */
function operatorForm(work: Work) {
  return async (page: PageContext, submission: Submission) => {
    const { password = "", ...typed } = submission.fields;
    const operator = { viewer: requireOperator(page), password };
    return orTyped(submission, Object.keys(typed), async () => {
      try {
        const done = await work({
          ...submission,
          page,
          dashboard: page.features.dashboard,
          operator,
        });
        return data({ form: submission.form, ...done });
      } catch (error) {
        // The role was revoked meanwhile: the page no longer exists for this member.
        throw isRefusal(error) && error.code === "not-found" ? refusalPage(error) : error;
      }
    });
  };
}
