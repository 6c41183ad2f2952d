import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { S3Client } from "#server/adapters/image-store/s3-client.ts";
import type { ByteRange, OpenVariant } from "#server/adapters/image-store/image-store.ts";
import { headBytes } from "#server/adapters/image-store/complete-variant.ts";

/** `head`: its first bytes, enough to tell how long a variant is. */
export type OpenObject = OpenVariant & { head: Buffer };

/** How long a chunk of an object may take to arrive, milliseconds. */
const stallMs = 15_000;

/** An object whose first bytes are here and whose others come as they are read; null if it is missing. */
export async function openObject(client: S3Client, name: string): Promise<OpenObject | null> {
  const answer = await client.get(name);
  if (!answer) return null;
  const pieces = piecesOf(answer);
  const close = async () => {
    await pieces.return(undefined);
  };
  const first: Uint8Array[] = [];
  for (let size = 0; size < headBytes; size += first.at(-1)?.length ?? 0) {
    const { done, value } = await pieces.next();
    if (done) break;
    first.push(value);
  }
  async function* whole() {
    yield* first;
    yield* pieces;
  }
  async function* part(range: ByteRange) {
    await close();
    const ranged = await client.get(name, range);
    if (ranged?.status !== 206) throw new Error(`${name} is gone, or not sent in parts`);
    yield* piecesOf(ranged);
  }
  return {
    bytes: Number(answer.headers.get("content-length")),
    head: Buffer.concat(first).subarray(0, headBytes),
    read: (range) => {
      const stream = Readable.from(range ? part(range) : whole());
      // Even if its reader left before the first chunk.
      return stream.once("close", () => void close());
    },
    close,
  };
}

/** The body of an answer. Leaving the loop ends the request, and so does silence. */
async function* piecesOf(answer: Response): AsyncGenerator<Uint8Array, undefined, undefined> {
  if (!answer.body) return;
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await soon(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function soon<Answer>(work: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("S3 stopped in the middle of a file")), stallMs);
  });
  return Promise.race([work, silence]).finally(() => clearTimeout(timer));
}
