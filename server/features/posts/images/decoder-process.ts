// A process that decodes images from strangers, one at a time, for the server that started it (decoder.ts).
import type { Renderers } from "#server/features/posts/images/decoder.ts";
import { renderForParent } from "#server/features/posts/images/render-for-parent.ts";

/**
 * While servers are replaced, one of the release before may start this file: it asks for `renderPicture`, and
 * takes the location of a photo from `details.place`. Goes with the next release.
 */
const inFormerWords = (renderers: Renderers) => ({
  ...renderers,
  async renderPicture(...values: Parameters<Renderers["renderImage"]>) {
    const image = await renderers.renderImage(...values);
    return { ...image, details: { ...image.details, place: image.details.location } };
  },
});

// Errors while loading are reported with the first image.
renderForParent(import("#server/features/posts/images/render.ts").then(inFormerWords));
