import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

/** What a form or a script wishes about another account. */
export async function grantHideWish(
  { blocks }: PageContext["features"],
  viewer: Viewer,
  accountId: string,
  wish: string | undefined,
): Promise<unknown> {
  switch (wish) {
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
