import { isRefusal, refuse, type Refusal } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

type Form = Awaited<ReturnType<PageContext["readForm"]>>;
/** Of images, or of an album's. */
type Images = {
  upload: (
    ...given: Parameters<PageContext["features"]["images"]["upload"]>
  ) => Promise<{ imageId: string }>;
};
type Files = ReturnType<Form["all"]>;

/** Images of a form by the index of their file, `room` of them at most. An error in one affects no other. */
export async function uploadImages(
  images: Images,
  viewer: Viewer,
  { files, room }: { files: Files; room: number },
): Promise<{ taken: { imageId: string; index: number }[]; refusals: Refusal[] }> {
  const taken: { imageId: string; index: number }[] = [];
  const refusals: Refusal[] = [];
  for (const [index, file] of files.entries()) {
    try {
      if (isRefusal(file)) throw file;
      if (taken.length === room) throw refuse("too-many-pictures");
      const { imageId } = await images.upload(viewer, file);
      taken.push({ imageId, index });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusals.push(named(error, files.length > 1 && !isRefusal(file) ? file.filename : ""));
    }
  }
  return { taken, refusals };
}

/** Which of several files an error is about. */
function named(refusal: Refusal, filename: string): Refusal {
  if (!filename) return refusal;
  return refuse(refusal.code, {
    message: `${filename}: ${refusal.message}`,
    ...(refusal.retryAfter === undefined ? {} : { retryAfter: refusal.retryAfter }),
    cause: refusal,
  });
}
