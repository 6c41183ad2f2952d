import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from "node:zlib";
import type { FastifyInstance } from "fastify";

export type Encoding = "zstd" | "br" | "gzip";

/** Compressing a page takes less time than handing it to another thread and back. */
const here = { zstd: zstdCompressSync, br: brotliCompressSync, gzip: gzipSync };
const elsewhere = {
  zstd: promisify(zstdCompress),
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
};

/** Under this many bytes the answer fits into one packet anyway. */
const worthwhile = 1000;

/** 256 kB, more than the longest page that we make. */
const widest = 18;

/**
 * The smallest window, as a power of two, that covers the whole body: nothing is further back. The default of
 * 4 MB is memory that every answer allocates, and it makes the garbage collector run in full while many
 * answers are compressed at once.
 */
function windowFor(bytes: number): number {
  const bits = Math.ceil(Math.log2(bytes + 16));
  return Math.min(Math.max(bits, constants.BROTLI_MIN_WINDOW_BITS), widest);
}

/**
 * What a page made for one viewer can afford: Brotli at quality 4 takes about gzip's time for a tenth fewer
 * bytes, Zstandard at level 3 a fifth of that time for a twentieth more.
 */
const optionsFor = {
  zstd: (bytes: number) => ({
    pledgedSrcSize: bytes,
    params: {
      [constants.ZSTD_c_compressionLevel]: 3,
      [constants.ZSTD_c_windowLog]: windowFor(bytes),
    },
  }),
  br: (bytes: number) => ({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
      [constants.BROTLI_PARAM_LGWIN]: windowFor(bytes),
    },
  }),
  gzip: () => ({ level: 6 }),
};

/** The first that the client accepts is used. */
const accepts: [Encoding, RegExp][] = (["zstd", "br", "gzip"] as const).map((encoding) => [
  encoding,
  new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`),
]);

/** Compresses a whole body for a client that accepts it. */
export async function compressFor(
  acceptEncoding: string | undefined,
  body: Buffer,
): Promise<{ body: Buffer; encoding: Encoding | null }> {
  const [encoding] = accepts.find(([, accepted]) => accepted.test(acceptEncoding ?? "")) ?? [];
  if (body.length < worthwhile || !encoding) return { body, encoding: null };
  const compress = (body.length <= 2 ** widest ? here : elsewhere)[encoding];
  return { body: await compress(body, optionsFor[encoding](body.length)), encoding };
}

/**
 * Compresses the text answers of a scope's calls, except those with an ETag: a strong one names the bytes of
 * one encoding.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload) => {
    if (typeof payload !== "string" || payload === "" || reply.hasHeader("ETag")) return payload;
    const vary = [reply.getHeader("Vary") ?? [], "Accept-Encoding"].flat().join(", ");
    void reply.header("Vary", vary);
    const accepted = request.headers["accept-encoding"];
    const { body, encoding } = await compressFor(accepted, Buffer.from(payload));
    if (!encoding) return payload;
    void reply.header("Content-Encoding", encoding);
    return body;
  });
}
