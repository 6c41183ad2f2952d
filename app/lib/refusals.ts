import { data, isRouteErrorResponse } from "react-router";
import { isRefusal, refuse, type Refusal, type RefusalCode } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/** What an error page knows of a refusal. */
export type RefusalData = { code: RefusalCode; message: string };

/** A refusal as React Router carries it to the nearest ErrorBoundary, with its status. */
export function refusalPage({ code, message, status, retryAfter }: Refusal) {
  const headers = new Headers();
  if (retryAfter !== undefined) headers.set("Retry-After", String(retryAfter));
  return data<RefusalData>({ code, message }, { status, headers });
}

/** The member of this request. A visitor gets the prompt to sign in, in place, with status 401. */
export function requireMember({ viewer }: { viewer: Viewer | null }): Viewer {
  if (!viewer) throw refusalPage(refuse("sign-in-required"));
  return viewer;
}

/** Refusals of a feature become their page instead of "something went wrong". */
export async function orRefusalPage<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    throw isRefusal(error) ? refusalPage(error) : error;
  }
}

/** For loaders: an unknown id or address is a real 404. */
export function orNotFound<Found>(found: Found | null | undefined): Found {
  if (found === null || found === undefined) throw refusalPage(refuse("not-found"));
  return found;
}

/** In an ErrorBoundary: status and sentence of what was thrown; 500 for what nobody expected. */
export function describeError(error: unknown): RefusalData & { status: number } {
  if (isRouteErrorResponse(error)) {
    const { status } = error;
    if (isRefusalData(error.data)) return { ...error.data, status };
    const code = status === 404 ? "not-found" : status === 401 ? "sign-in-required" : "internal";
    return { code, message: refuse(code).message, status };
  }
  return { code: "internal", message: refuse("internal").message, status: 500 };
}

function isRefusalData(value: unknown): value is RefusalData {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}
