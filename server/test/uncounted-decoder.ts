// A decoder that counts nothing before it decodes, and says who it is: what its budget alone holds.
import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { renderForParent } from "#server/features/posts/images/render-for-parent.ts";
import { renderAvif, renderLarge } from "#server/features/posts/images/render.ts";

async function renderImage(path: string) {
  await writeFile(`${path}.pid`, String(process.pid));
  const { width = 0, height = 0 } = await sharp(path).metadata();
  await sharp(path).resize(64, 48, { fit: "fill" }).raw().toBuffer();
  return { width, height } as never;
}

renderForParent(Promise.resolve({ renderImage, renderLarge, renderAvif }));
