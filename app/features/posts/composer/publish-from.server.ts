import { createHash } from "node:crypto";
import { isRefusal, type Refusal } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";
import type { UploadedPhoto } from "#app/features/posts/composer/uploaded-photos.tsx";
import { choicesIn } from "#app/features/posts/composer/choices-in.ts";
import { uploadImages } from "#app/features/posts/composer/upload-images.server.ts";
import type { PageContext } from "#app/lib/context.server.ts";

type Form = Awaited<ReturnType<PageContext["readForm"]>>;
type Features = Pick<PageContext["features"], "images" | "posts" | "settings">;

/**
 * Publishes the composer's form, sent without scripts. A refused photo stops the post; the others are
 * stored for the next submit.
 *
 * The key that makes a repeated submit harmless is in the form; text and files are part of it, so that a
 * page from the browser's cache (Back) can be used for another post.
 */
export async function publishFrom(
  { images, posts, settings }: Features,
  viewer: Viewer,
  { fields, all }: Form,
  timeZone: string,
): Promise<{ refusal: Refusal; photos: UploadedPhoto[] } | { number: number }> {
  const { caption = "", alt = "", clientKey = "" } = fields;
  const shows = choicesIn(fields);
  const photos = uploadedPhotosIn(fields);
  const files = all("image");
  const marks = [
    ...photos.map(({ imageId }) => imageId),
    ...files.flatMap((file) => (isRefusal(file) ? [] : [`${file.filename} ${file.bytes}`])),
  ];
  const room = limits.photosPerPost - photos.length;
  const { taken, refusals } = await uploadImages(images, viewer, { files, room });
  // The one field without scripts describes the first chosen photo.
  const describes = photos.length === 0 ? 0 : -1;
  photos.push(
    ...taken.map(({ imageId, index }) => ({ imageId, alt: index === describes ? alt : "" })),
  );
  try {
    const [refusal] = refusals;
    if (refusal) throw refusal;
    const post = await posts.publish(viewer, {
      caption,
      pictures: photos,
      timeZone: fields["timeZone"] ?? timeZone,
      clientKey: clientKey
        ? digest([clientKey, ...marks, ...Object.values(shows), caption].join("\n"))
        : null,
      ...shows,
    });
    if (photos.length > 0) await settings.change(viewer, { showCamera: shows.showCamera });
    return post;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { refusal: error, photos: error.code === "picture-unknown" ? [] : photos };
  }
}

/** Images that an earlier submit uploaded, in their order, without those to be left out. */
function uploadedPhotosIn(fields: Record<string, string>): UploadedPhoto[] {
  return Array.from({ length: limits.photosPerPost }, (_, at) => at).flatMap((at) => {
    const imageId = fields[`photo-${at}`];
    if (!imageId || fields[`without-${at}`] !== undefined) return [];
    return [{ imageId, alt: fields[`alt-${at}`] ?? "" }];
  });
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
