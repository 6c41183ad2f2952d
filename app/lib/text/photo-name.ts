import type { PostTile } from "#shared/views.ts";
import { noDescription } from "#messages/posts.json";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";

/** What the photo of a post is called: without a description as the post begins. */
export const photoName = ({ picture, caption }: Pick<PostTile, "picture" | "caption">) =>
  picture?.alt || firstGraphemes(caption, 120) || noDescription;
