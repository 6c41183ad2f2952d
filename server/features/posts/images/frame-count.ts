import { readFile } from "node:fs/promises";
import type { PictureType } from "#server/features/posts/images/picture-type.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

/**
 * Refuses animations of more frames than anybody draws, before a decoder looks at them: it keeps some
 * 600 bytes of each, and 25 MB hold more than a million. Whatever is broken is the decoder's to refuse.
 */
export async function refuseEndless(path: string, type: PictureType): Promise<void> {
  if (type !== "gif" && type !== "webp") return;
  const most = limits.moving.mostFrames;
  const file = await readFile(path);
  if ((type === "gif" ? gifFrames(file, most) : webpFrames(file, most)) <= most) return;
  throw refuse("picture-too-large", {
    message: `This picture has more than ${most.toLocaleString("en")} frames. Choose a shorter one.`,
  });
}

/** Bytes of a table of colours, by the flags that say whether there is one. */
const tableBytes = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Image descriptors of a GIF, counted to `most` + 1 (GIF89a specification, appendix B). */
function gifFrames(file: Buffer, most: number): number {
  let frames = 0;
  let at = 13 + tableBytes(file[10]);
  while (at < file.length && frames <= most) {
    if (file[at] === 0x2c) {
      frames += 1;
      // its descriptor, its colours, and the size of its codes
      at += 10 + tableBytes(file[at + 9]) + 1;
    } else if (file[at] === 0x21) at += 2;
    else {
      at += 1;
      continue;
    }
    for (let bytes = file[at]; bytes; bytes = file[at]) at += bytes + 1;
    at += 1;
  }
  return frames;
}

/** ANMF chunks of a WebP, counted to `most` + 1 (RFC 9649, section 2.7). */
function webpFrames(file: Buffer, most: number): number {
  let frames = 0;
  for (let at = 12; at + 8 <= file.length && frames <= most;) {
    if (file.toString("latin1", at, at + 4) === "ANMF") frames += 1;
    const bytes = file.readUInt32LE(at + 4);
    at += 8 + bytes + (bytes % 2);
  }
  return frames;
}
