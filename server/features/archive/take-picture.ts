import type { Pictures } from "#server/features/archive/open-archive.ts";
import type { PictureFile } from "#server/features/archive/prepare.ts";
import type { ReceivedImage } from "#server/features/images/images.ts";
import { isRefusal, type Refusal } from "#shared/errors.ts";

type Images = { receive: (file: { path: string }) => Promise<ReceivedImage> };

/** Brings a picture of an archive into a store. Refuses with a sentence that names the file. */
export async function receivePicture(
  images: Images,
  pictures: Pictures,
  { file, sha256 }: PictureFile,
): Promise<ReceivedImage> {
  const unpacked = await pictures.extractPicture(file, sha256);
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
  return code === "picture-timeout" || code === "internal" || code === "not-ready";
}
