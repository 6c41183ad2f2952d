import type { ChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";
import { callError, isSignedOut } from "#app/lib/api-client.ts";

const photoMissing =
  "Your photo didn't upload. Your caption is still here. Try the photo again, or remove it.";
const photosMissing =
  "One of your photos didn't upload. Everything is still here. Try that photo again, or remove it.";

/**
 * Resolves when all photos are uploaded. Their errors are shown beside them; the error that this rejects
 * with says what to do.
 */
export async function photosSent(photos: ChosenPhotos, signal: AbortSignal): Promise<void> {
  try {
    await photos.sent(signal);
  } catch (error) {
    if (isSignedOut(error)) throw error;
    const several = photos.all().length > 1;
    throw callError("photo-missing", several ? photosMissing : photoMissing, 0);
  }
}
