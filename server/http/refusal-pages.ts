import { data, type ServerBuild } from "react-router";
import { isRefusal } from "#shared/errors.ts";

type Handler = (...given: never[]) => unknown;

/** A refusal reaches the nearest error page with its status and sentence, not as a sanitised 500. */
function answering<Given extends Handler>(handler: Given): Given {
  const answer = async (...given: never[]) => {
    try {
      return await handler(...given);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { code, message, status, retryAfter } = error;
      const headers = new Headers();
      if (retryAfter !== undefined) headers.set("Retry-After", String(retryAfter));
      throw data({ code, message }, { status, headers });
    }
  };
  return answer as Given;
}

/** The same build, whose loaders and actions may throw refusals as features do. */
export function withRefusalPages(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action } = route.module;
    const module = {
      ...route.module,
      ...(loader ? { loader: answering(loader) } : {}),
      ...(action ? { action: answering(action) } : {}),
    };
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}
