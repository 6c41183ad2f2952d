import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { applyHide } from "#app/features/blocks/apply-hide.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/block.ts";

/** POST accountId, intent=block|unblock|mute|unmute → { blocked } or { muted } */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { accountId = "", intent } = (await readForm(request)).fields;
    return applyHide(features, viewer, accountId, intent);
  });
}
