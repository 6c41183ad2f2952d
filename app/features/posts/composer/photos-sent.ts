import * as words from "#messages/composer.json";
import type { ChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";
import { callError, isSignedOut } from "#app/lib/api-client.ts";

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
    throw callError("photo-missing", several ? words.photosMissing : words.photoMissing, 0);
  }
}
