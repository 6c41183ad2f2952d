import { createHash } from "node:crypto";
import { isRefusal, refuse, type Refusal } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";
import type { KeptPicture } from "#app/features/posts/composer/kept-photos.tsx";
import type { Shows } from "#app/features/posts/composer/show-choices.tsx";
import type { PageContext } from "#app/lib/context.server.ts";

type Form = Awaited<ReturnType<PageContext["readForm"]>>;
type Features = Pick<PageContext["features"], "images" | "posts" | "settings">;

/**
 * Publishes what the composer's form holds, sent without scripts. A picture that is refused keeps
 * the post back; the others are kept for the next submit.
 *
 * The key that makes a repeated submit harmless stands in the form; words and files are part of it,
 * so that a page the browser kept (Back) can be used for another post.
 */
export async function publishFrom(
  { images, posts, settings }: Features,
  viewer: Viewer,
  { fields, all }: Form,
  timeZone: string,
): Promise<{ refusal: Refusal; pictures: KeptPicture[] } | null> {
  const { caption = "", alt = "", clientKey = "" } = fields;
  const shows = showsIn(fields);
  const pictures = keptIn(fields);
  const files = all("image");
  const refusals: Refusal[] = [];
  const marks: string[] = pictures.map(({ imageId }) => imageId);
  // What the one field without scripts describes: the first that was chosen.
  const describes = pictures.length === 0 ? 0 : -1;
  for (const [index, file] of files.entries()) {
    try {
      if (isRefusal(file)) throw file;
      marks.push(`${file.filename} ${file.bytes}`);
      if (pictures.length === limits.picturesPerPost) throw refuse("too-many-pictures");
      const { imageId } = await images.upload(viewer, file);
      pictures.push({ imageId, alt: index === describes ? alt : "" });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusals.push(named(error, files.length > 1 && !isRefusal(file) ? file.filename : ""));
    }
  }
  try {
    const [refusal] = refusals;
    if (refusal) throw refusal;
    await posts.publish(viewer, {
      caption,
      pictures,
      timeZone: fields["timeZone"] ?? timeZone,
      clientKey: clientKey
        ? digest([clientKey, ...marks, ...Object.values(shows), caption].join("\n"))
        : null,
      ...shows,
    });
    if (pictures.length > 0) await settings.setShowCamera(viewer, shows.showCamera);
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { refusal: error, pictures: error.code === "picture-unknown" ? [] : pictures };
  }
}

/** What the form's switches say. */
export function showsIn(fields: Record<string, string>): Shows {
  return {
    showCamera: fields["showCamera"] !== undefined,
    showPlace: fields["showPlace"] !== undefined,
  };
}

/** Pictures that an earlier submit brought, in their order, without those to be left out. */
function keptIn(fields: Record<string, string>): KeptPicture[] {
  return Array.from({ length: limits.picturesPerPost }, (_, at) => at).flatMap((at) => {
    const imageId = fields[`photo-${at}`];
    if (!imageId || fields[`without-${at}`] !== undefined) return [];
    return [{ imageId, alt: fields[`alt-${at}`] ?? "" }];
  });
}

/** Of several files, which one it is about. */
function named(refusal: Refusal, filename: string): Refusal {
  if (!filename) return refusal;
  return refuse(refusal.code, {
    message: `${filename}: ${refusal.message}`,
    ...(refusal.retryAfter === undefined ? {} : { retryAfter: refusal.retryAfter }),
    cause: refusal,
  });
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
