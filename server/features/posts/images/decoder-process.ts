// A process that decodes images from strangers, one at a time, for the server that started it (decoder.ts).
import { renderForParent } from "#server/features/posts/images/render-for-parent.ts";

// Errors while loading are reported with the first image.
renderForParent(import("#server/features/posts/images/render.ts"));
