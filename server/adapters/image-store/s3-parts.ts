import { createHash } from "node:crypto";

/** A file in pieces of this length. */
export async function* slicesOf(body: Blob, partBytes: number): AsyncGenerator<Blob, undefined> {
  for (let at = 0; at < body.size; at += partBytes) yield body.slice(at, at + partBytes);
}

/** Pieces of this length, and a last one that may be shorter; none if nothing comes. */
export async function* partsOf(
  source: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Blob, undefined> {
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const piece of source) {
    pieces.push(piece as Uint8Array<ArrayBuffer>);
    size += piece.length;
    if (size < partBytes) continue;
    yield new Blob(pieces);
    [pieces, size] = [[], 0];
  }
  if (size > 0) yield new Blob(pieces);
}

/** A file is read piece by piece. */
export async function md5Of(body: Blob): Promise<string> {
  const hash = createHash("md5");
  for await (const piece of body.stream()) hash.update(piece);
  return hash.digest("base64");
}
