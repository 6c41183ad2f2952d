import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const compressible = /\.(?:js|css|svg|json|txt)$/;
/** Under this many bytes there is nothing to win. */
const worthwhile = 300;

/**
 * Writes a .br and a .gz beside every text file of a folder, at the best quality: done once at the
 * build, so that serving them costs no more than the plain file.
 */
export function precompress(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    if (!compressible.test(name)) continue;
    const plain = readFileSync(path);
    if (plain.length < worthwhile) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${path}.br`, brotliCompressSync(plain, { params }));
    writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }));
  }
}
