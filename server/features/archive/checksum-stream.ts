import { createHash } from "node:crypto";
import { Transform, type TransformCallback } from "node:stream";

export type Checksum = { bytes: number; sha256: string };

/** A stream that passes its data through; call `checksum` once, after its end. */
export function createChecksumStream() {
  const hash = createHash("sha256");
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding: string, done: TransformCallback) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, checksum: (): Checksum => ({ bytes, sha256: hash.digest("hex") }) };
}
