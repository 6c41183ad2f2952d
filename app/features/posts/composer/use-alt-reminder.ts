import { useRef } from "react";
import type { ChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";
import { ask } from "#app/ui/ask.ts";

/**
 * Asks before photos are posted without a description; `describe` is called with the first where one is to
 * be written.
 * @returns a function that says whether the post may be published as it is
 */
export function useAltReminder(photos: ChosenPhotos, describe: (id: string) => void) {
  /** photos that may be posted without a description: nobody is asked twice */
  const leftBare = useRef<ReadonlySet<string>>(new Set());

  return async (): Promise<boolean> => {
    const all = photos.all();
    const bare = all.filter(({ alt }) => alt.trim() === "");
    const [first] = bare;
    const asked = bare.every(({ id }) => leftBare.current.has(id));
    // Errors come before suggestions.
    const wrong = all.some(({ state }) => state === "failed");
    if (!first || asked || wrong) return true;
    const several = all.length > 1;
    const lacking =
      bare.length === all.length ? "None of them has" : `${bare.length} of ${all.length} lack`;
    const anyway = await ask({
      title: several ? "Describe your photos?" : "Describe your photo?",
      text: `${several ? `${lacking} a description.` : "It has no description."} People who can't see it only hear that there is a photo.`,
      ok: "Post anyway",
      cancel: several ? "Add descriptions" : "Add a description",
    });
    if (anyway) leftBare.current = new Set(bare.map(({ id }) => id));
    else describe(first.id);
    return anyway;
  };
}
