import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { grantHideWish } from "#app/features/blocks/grant-wish.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/block.ts";

/** POST accountId, wish=block|unblock|mute|unmute → { blocked } or { muted } */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { accountId = "", wish } = (await readForm(request)).fields;
    return grantHideWish(features, viewer, accountId, wish);
  });
}
