import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { startImport } from "#app/features/archive/start-import.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/import";

/** POST multipart, archive=<zip> */
export function action({ request, context }: Route.ActionArgs) {
  const page = context.get(appContext);
  return answerJson(async () => {
    if (!page.viewer) throw refuse("sign-in-required");
    await startImport(page, page.viewer, request);
    return { started: true };
  });
}
