import { createHash, hash } from "node:crypto";
import { Transform, type Duplex, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** What passed through: how many bytes, and their SHA-256, hexadecimal. */
export type Hashed = { bytes: number; sha256: string };

/** A stream that passes everything through, and reports afterwards what it was. */
export function hashing(): { stream: Transform; result: () => Hashed } {
  const sha256 = createHash("sha256");
  let bytes = 0;
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      sha256.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: sha256.digest("hex") }) };
}

export const hashOfBytes = (bytes: Buffer): Hashed => ({
  bytes: bytes.length,
  sha256: hash("sha256", bytes),
});

/** What a source holds, or what comes of it through these streams. */
export async function hashOf(
  source: Readable,
  signal?: AbortSignal,
  through: readonly Duplex[] = [],
): Promise<Hashed> {
  const { stream, result } = hashing();
  stream.resume();
  await pipeline([source, ...through, stream], { signal });
  return result();
}
