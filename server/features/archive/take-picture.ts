import type { OpenZip } from "#server/features/archive/zip-reader.ts";
import type { ReceivedImage } from "#server/features/images/images.ts";
import { isOutage, isRefusal, type Refusal } from "#shared/errors.ts";

type Images = { receive: (file: { path: string }) => Promise<ReceivedImage> };

/** Brings a picture of an archive into a store. Refuses with a sentence that names the file. */
export async function receivePicture(
  images: Images,
  zip: OpenZip,
  { file, sha256 }: { file: string; sha256: string },
): Promise<ReceivedImage> {
  const unpacked = await zip.extractPicture(file, sha256);
  try {
    return await images.receive(unpacked);
  } catch (error) {
    if (isRefusal(error) && !passing(error)) error.message = `${file}: ${error.message}`;
    throw error;
  } finally {
    await unpacked.remove();
  }
}

/** A fault of the moment: tried again, it may work. */
export function passing({ code }: Refusal): boolean {
  return code === "picture-timeout" || code === "internal" || isOutage(code);
}

/** Why something cannot be taken: the sentence of its field, or the refusal's own. */
export function reasonOf({ fields = {}, message }: Refusal): string {
  return Object.values(fields)[0] ?? message;
}

/** The sentence about what was left out. */
export function leftOut(what: string, why: string): string {
  return `${what} was left out: ${why.length > 200 ? `${why.slice(0, 200)}…` : why}`;
}
