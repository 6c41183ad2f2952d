import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { publishFrom } from "#app/features/posts/composer/publish-from.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/publish.ts";

/** POST caption, imageId, alt, timeZone, clientKey → { path } of the new post */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { fields } = await readForm(request);
    const { number } = await publishFrom(features, viewer, fields, fields.imageId ?? "");
    return { path: `/post/${viewer.username}/${number}` };
  });
}
