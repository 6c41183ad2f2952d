import { invalid, shown } from "#shared/exports/invalid.ts";
import type { ZipEntry } from "#shared/exports/zip-entries.ts";

/** A file's own header, whose name and extra field have lengths of their own (APPNOTE 4.3.7). */
const header = { signature: 0x04034b50, length: 30 };

const isPacked = ({ compressionMethod }: ZipEntry) => compressionMethod !== 0;

/** A file of a zip as it is in it: a piece of the zip that is on the disk, not in memory. */
async function pieceOf(zip: Blob, name: string, entry: ZipEntry): Promise<Blob> {
  const { relativeOffsetOfLocalHeader: at, compressedSize } = entry;
  const own = new DataView(await zip.slice(at, at + header.length).arrayBuffer());
  if (own.byteLength < header.length || own.getUint32(0, true) !== header.signature)
    throw damaged(name);
  const start = at + header.length + own.getUint16(26, true) + own.getUint16(28, true);
  if (start + compressedSize > zip.size) throw damaged(name);
  return zip.slice(start, start + compressedSize);
}

/** The bytes of a file of a zip, chunk by chunk; never more than the zip says. */
export async function* unpacked(
  zip: Blob,
  name: string,
  entry: ZipEntry,
): AsyncGenerator<Uint8Array> {
  const piece = await pieceOf(zip, name, entry);
  const stream = isPacked(entry)
    ? piece.stream().pipeThrough(new DecompressionStream("deflate-raw"))
    : piece.stream();
  let bytes = 0;
  for await (const chunk of chunksOf(stream, name)) {
    bytes += chunk.length;
    if (bytes > entry.uncompressedSize) throw damaged(name);
    yield chunk;
  }
  if (bytes < entry.uncompressedSize) throw damaged(name);
}

/** Streams are no iterables in every browser. */
async function* chunksOf(stream: ReadableStream<Uint8Array>, name: string) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw damaged(name, cause);
      });
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever has read enough does not want the rest.
    await reader.cancel().catch(() => {});
  }
}

const damaged = (name: string, cause?: unknown) =>
  invalid(`${shown(name)} in this archive is damaged and can't be read.`, cause);

/** A whole file of a zip; one that is not packed stays on the disk. */
export async function fileOf(zip: Blob, name: string, entry: ZipEntry): Promise<Blob> {
  if (!isPacked(entry)) return pieceOf(zip, name, entry);
  const chunks: BlobPart[] = [];
  for await (const chunk of unpacked(zip, name, entry))
    chunks.push(chunk as Uint8Array<ArrayBuffer>);
  return new Blob(chunks);
}
