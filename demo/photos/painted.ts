import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Order, Painter } from "./painter.ts";

export type Easel = {
  painter: Painter;
  /** the folder of painted photos until the features take them */
  folder: string;
};

export type PaintedFile = { path: string; filename: string; bytes: number; mediaType: string };

/** Paints a photo for as long as `use` takes with its file. */
export async function withPainted<Made>(
  order: Order,
  { painter, folder }: Easel,
  use: (file: PaintedFile) => Promise<Made>,
): Promise<Made> {
  const jpeg = await painter.paint(order);
  const filename = `${order.keys.join("-")}.jpg`;
  const path = join(folder, filename);
  try {
    await writeFile(path, jpeg);
    return await use({ path, filename, bytes: jpeg.length, mediaType: "image/jpeg" });
  } finally {
    await rm(path, { force: true });
  }
}
