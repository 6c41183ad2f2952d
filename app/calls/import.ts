import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { archiveBounds } from "#app/features/archive/archive-bounds.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/import.ts";

/** POST multipart, archive=<zip> */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    // before an archive of 4 GB comes all the way
    await features.imports.checkMayStart(viewer);
    const form = await readForm(request, archiveBounds);
    await features.imports.start(viewer, form.file("archive"));
    return { started: true };
  });
}
