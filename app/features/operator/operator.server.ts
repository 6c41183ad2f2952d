import { data } from "react-router";
import { isRefusal, refuse } from "#shared/errors.ts";
import type { FieldErrors } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";
import {
  orRefusalPage,
  refusalPage,
  refusedInit,
  requireMember,
} from "#app/lib/refusals.server.ts";

/** The operator of this request. Visitors are asked to sign in; for other members there is no such page. */
export function requireOperator({ viewer }: Pick<PageContext, "viewer">): Viewer {
  const member = requireMember({ viewer });
  if (!member.operator) throw refusalPage(refuse("not-found"));
  return member;
}

/** What a form of an operator's page brought back. */
export type Acted = {
  /** which form it was */
  change: string;
  done: boolean;
  message: string;
  wrong: FieldErrors | undefined;
  /** what was typed, passwords left out; empty once it is done */
  typed: Record<string, string>;
  /** shown this once */
  links: string[];
};

type Told = { message: string; links?: string[] };
type Work = (
  operator: { viewer: Viewer; password: string },
  fields: Record<string, string>,
) => Promise<Told>;

/** Does what a form's field `change` names, and brings back how it went. */
export async function act(
  { viewer, readForm }: PageContext,
  request: Request,
  changes: Record<string, Work>,
) {
  const member = requireOperator({ viewer });
  const { fields } = await orRefusalPage(readForm(request));
  const { change = "", password = "", ...typed } = fields;
  const work = Object.hasOwn(changes, change) ? changes[change] : undefined;
  try {
    if (!work) throw refuse("input-invalid");
    const { message, links = [] } = await work({ viewer: member, password }, fields);
    const done: Acted = { change, done: true, message, wrong: undefined, typed: {}, links };
    return data(done);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // The role was taken away meanwhile: there is no such page any more.
    if (error.code === "not-found") throw refusalPage(error);
    const { message, fields: wrong } = error;
    const refused: Acted = { change, done: false, message, wrong, typed, links: [] };
    return data(refused, refusedInit(error));
  }
}
