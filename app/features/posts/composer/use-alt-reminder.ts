import { useRef } from "react";
import * as words from "#messages/composer.json";
import type { ChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";
import { counted } from "#app/lib/text/messages.tsx";
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
    const anyway = await ask({
      title: several ? words.describeAskSeveral : words.describeAsk,
      text: lackText(bare.length, all.length),
      ok: words.postAnyway,
      cancel: several ? words.addDescriptions : words.addDescription,
    });
    if (anyway) leftBare.current = new Set(bare.map(({ id }) => id));
    else describe(first.id);
    return anyway;
  };
}

function lackText(bare: number, all: number): string {
  if (all === 1) return words.lacksOne;
  return bare === all ? words.lacksAll : counted(words.lacksSome, bare, { all });
}
