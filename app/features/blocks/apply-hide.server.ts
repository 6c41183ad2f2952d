import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

/** Does what a form or a script asks about another account. */
export async function applyHide(
  { blocks }: PageContext["features"],
  viewer: Viewer,
  accountId: string,
  intent: string | undefined,
): Promise<unknown> {
  switch (intent) {
    case "block":
      return blocks.block(viewer, accountId);
    case "unblock":
      return blocks.unblock(viewer, accountId);
    case "mute":
      return blocks.mute(viewer, accountId);
    case "unmute":
      return blocks.unmute(viewer, accountId);
    default:
      throw refuse("input-invalid");
  }
}
