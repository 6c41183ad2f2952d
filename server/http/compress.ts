import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";

/** Compressing a page takes less time than handing it to another thread and back. */
const here = { br: brotliCompressSync, gzip: gzipSync };
const elsewhere = { br: promisify(brotliCompress), gzip: promisify(gzip) };

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
 * Compresses a whole body for a client that accepts it. Brotli at quality 4 is what a page made for one
 * viewer can afford: about gzip's time at a tenth fewer bytes.
 */
export async function compressFor(
  acceptEncoding: string | undefined,
  body: Buffer,
): Promise<{ body: Buffer; encoding: "br" | "gzip" | null }> {
  if (body.length >= worthwhile && acceptEncoding) {
    const { br, gzip: gz } = body.length <= 2 ** widest ? here : elsewhere;
    if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(acceptEncoding)) {
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        [constants.BROTLI_PARAM_LGWIN]: windowFor(body.length),
      };
      return { body: await br(body, { params }), encoding: "br" };
    }
    if (/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(acceptEncoding)) {
      return { body: await gz(body, { level: 6 }), encoding: "gzip" };
    }
  }
  return { body, encoding: null };
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
