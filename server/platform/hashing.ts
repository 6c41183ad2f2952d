import { createHash } from "node:crypto";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** What passed through: how many bytes, and their SHA-256, hexadecimal. */
export type Hashed = { bytes: number; sha256: string };

/** A stream that passes everything through, and reports afterwards what it was. */
export function hashing(): { stream: Transform; result: () => Hashed } {
  const hash = createHash("sha256");
  let bytes = 0;
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest("hex") }) };
}

export const hashOfBytes = (bytes: Buffer): Hashed => ({
  bytes: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex"),
});

export async function hashOf(source: Readable, signal?: AbortSignal): Promise<Hashed> {
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(
    source,
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
      }
    },
    { signal },
  );
  return { bytes, sha256: hash.digest("hex") };
}
