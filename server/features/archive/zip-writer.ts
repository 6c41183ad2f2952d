import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { hashing, type Hashed } from "#server/platform/hashing.ts";

/**
 * Writes a zip file piece by piece and finishes each piece before it asks for the next: memory holds one
 * chunk of one file, and the list of names.
 */
export function createZipWriter(path: string) {
  const zip = new ZipFile();
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  // the library's pipes: their errors arrive here and nowhere else
  zip.on("error", (error) => broken.reject(error as Error));
  const output = createWriteStream(path, { flags: "w", mode: 0o600 });
  const written = pipeline(zip.outputStream, output);
  written.catch((error: unknown) => broken.reject(error as Error));

  /** `compress` is for text: images do not get any smaller. */
  async function add(
    name: string,
    source: Readable,
    { compress, mtime }: { compress: boolean; mtime: Date },
  ): Promise<Hashed> {
    const { stream, result } = hashing();
    const fed = pipeline(source, stream);
    fed.catch((error: unknown) => broken.reject(error as Error));
    zip.addReadStream(stream, name, { compress, mtime, mode: 0o100644 });
    await Promise.race([fed, broken.promise]);
    return result();
  }

  const addText = (name: string, text: string, mtime: Date) =>
    add(name, Readable.from([Buffer.from(text)]), { compress: true, mtime });

  /** Resolves once everything is on the disk, with the size of the file. */
  async function finish(): Promise<number> {
    zip.end();
    await Promise.race([written, broken.promise]);
    const file = await open(path, "r");
    try {
      await file.sync();
      return (await file.stat()).size;
    } finally {
      await file.close();
    }
  }

  /** Closes the file; what was written of it is useless. */
  async function abandon(): Promise<void> {
    output.destroy();
    await written.catch(() => undefined);
  }

  return { add, addText, finish, abandon };
}

export type ZipWriter = ReturnType<typeof createZipWriter>;
