// A process that decodes strangers' pictures, one at a time, for the server that started it (decoder.ts).
import { renderForParent } from "#server/features/posts/images/render-for-parent.ts";

// What cannot be loaded is told with the first picture.
renderForParent(import("#server/features/posts/images/render.ts"));
