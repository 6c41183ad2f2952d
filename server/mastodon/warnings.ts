import type { Call } from "#server/mastodon/router.ts";
import type { PostOrComment } from "#server/features/posts/index.ts";
import { refuse } from "#shared/errors.ts";
import { cleanText, isBlank } from "#shared/text.ts";

/** The content warning that was sent, and whether the photos are veiled; neither where nothing was. */
export function veilIn(input: Call["input"]): { warning?: string | null; sensitive?: boolean } {
  const [spoiler, sensitive] = [input.text("spoiler_text"), input.flag("sensitive")];
  return {
    ...(spoiler !== undefined && { warning: spoiler }),
    // As in Mastodon, a warning that is taken away takes the veil with it (update_status_service.rb, 01405bc).
    ...((spoiler !== undefined || sensitive !== undefined) && { sensitive: sensitive ?? false }),
  };
}

/**
 * Apps begin a reply with the warning of what it answers (Tusky, SFragment.kt, 07c4249; Phanpy, compose.jsx), Megalodon
 * with "re: " before it: that stands above the comment already. One of its own would be lost.
 */
export function refuseOwnWarning(input: Call["input"], one: PostOrComment): void {
  const sent = cleanText(input.text("spoiler_text") ?? "");
  const above = one.kind === "post" ? one.post.warning : null;
  if (isBlank(sent) || [sent, sent.replace(/^re: /, "")].includes(above ?? "")) return;
  throw refuse("not-offered", {
    message: "Comments here have no content warning of their own, so nothing was published.",
  });
}
