import type { ArchiveImages } from "#server/features/archive/open-archive.ts";
import type { ImageFile } from "#server/features/archive/prepare.ts";
import type { ReceivedImage } from "#server/features/posts/index.ts";
import { isRefusal, type Refusal } from "#shared/errors.ts";

type Images = { receive: (file: { path: string }, sender: string) => Promise<ReceivedImage> };

/** Receives an image from an account's archive into a store. Refuses with a sentence that names the file. */
export async function receiveImage(
  images: Images,
  archive: ArchiveImages,
  accountId: string,
  image: ImageFile,
): Promise<ReceivedImage> {
  return archive.withImage(image, (path) =>
    images.receive({ path }, accountId).catch((error: unknown) => {
      if (isRefusal(error) && !isTransient(error))
        error.message = `${image.file}: ${error.message}`;
      throw error;
    }),
  );
}

/** An error on our side or a temporary one: a retry may work. */
export function isTransient({ status }: Refusal): boolean {
  return status >= 500;
}
