import { data, type HeadersFunction, type ServerBuild } from "react-router";
import { logFailure, toOutage } from "#server/http/errors.ts";
import { isRefusal, type Refusal } from "#shared/errors.ts";

type ServerRouteModule = NonNullable<ServerBuild["routes"][string]>["module"];
type Handler = (...given: never[]) => unknown;

/** Called with a failure on our side that became a refusal. */
type Report = (error: unknown, path: string) => void;

/** Says a sentence of ours in the language of the build. */
type InLanguage = (sentence: string) => string;

/**
 * A refusal, and a database that is away, reach the nearest error page with their status and
 * sentence, not as a sanitised 500.
 */
function answering<Given extends Handler>(
  handler: Given,
  report: Report,
  inLanguage: InLanguage,
): Given {
  const answer = async (...given: never[]) => {
    try {
      return await handler(...given);
    } catch (error) {
      const refusal = isRefusal(error) ? error : reported(error, given, report);
      if (!refusal) throw error;
      const { code, message, status, retryAfter } = refusal;
      const headers = new Headers();
      if (retryAfter !== undefined) headers.set("Retry-After", String(retryAfter));
      throw data({ code, message: inLanguage(message) }, { status, headers });
    }
  };
  return answer as Given;
}

function reported(error: unknown, [context]: unknown[], report: Report): Refusal | null {
  const outage = toOutage(error);
  const { url = "http://unknown/" } = (context as { request?: Request } | undefined)?.request ?? {};
  const log = { error: () => report(error, new URL(url).pathname) };
  if (outage) logFailure(log, error, outage);
  return outage;
}

/** A page has only the headers that its routes name, but every refusal says when to come again. */
function sayingWhenAgain(own: ServerRouteModule["headers"]): HeadersFunction {
  return (args) => {
    const named = typeof own === "function" ? own(args) : own;
    const headers = new Headers(named ?? args.parentHeaders);
    const wait = (args.errorHeaders ?? args.actionHeaders).get("Retry-After");
    if (wait !== null) headers.set("Retry-After", wait);
    return headers;
  };
}

/** The same build, with loaders and actions that may throw refusals as features do. */
export function withRefusalPages(
  build: ServerBuild,
  report: Report,
  inLanguage: InLanguage,
): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action } = route.module;
    const module = {
      ...route.module,
      headers: sayingWhenAgain(route.module.headers),
      ...(loader ? { loader: answering(loader, report, inLanguage) } : {}),
      ...(action ? { action: answering(action, report, inLanguage) } : {}),
    };
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}
