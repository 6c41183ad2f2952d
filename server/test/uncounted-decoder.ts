// A decoder without the checks before decoding, which writes its pid: shows what the budget alone prevents.
import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { renderForParent } from "#server/features/posts/images/render-for-parent.ts";
import { renderAvif, renderLarge, renderVariant } from "#server/features/posts/images/render.ts";

async function renderImage(path: string) {
  await writeFile(`${path}.pid`, String(process.pid));
  const { width = 0, height = 0 } = await sharp(path).metadata();
  await sharp(path).resize(64, 48, { fit: "fill" }).raw().toBuffer();
  return { width, height } as never;
}

renderForParent(Promise.resolve({ renderImage, renderLarge, renderVariant, renderAvif }));
