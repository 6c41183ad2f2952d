import { useEffect, useState, type RefObject } from "react";
import { altTextProblem, captionProblem, warningProblem } from "#shared/posts.ts";
import { cleanText } from "#shared/text.ts";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import type { ChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";

type Errors = Partial<Record<"caption" | "warning" | "alt", string | undefined>>;
type Typed = { caption: string; warning: string | null };

/** The card that posts are written and edited on: its selected photo, and the errors of its text. */
export function useCard(photos: ChosenPhotos, all: readonly ChosenPhoto[], first = "") {
  const [chosenId, choose] = useState(first);
  const [errors, setErrors] = useState<Errors>({});
  const at = Math.max(
    all.findIndex(({ id }) => id === chosenId),
    0,
  );
  const clearErrors = () => setErrors({});

  return {
    chosen: all[at] ?? null,
    at,
    choose,
    errors,
    /** null where nothing is */
    wrong: Object.values(errors).some(Boolean) ? errors : null,
    clearErrors,
    describe(id: string, alt: string): void {
      clearErrors();
      photos.describe(id, alt);
    },
    /** `show` is called with a description that is too long. @returns whether the text may be sent */
    check({ caption, warning }: Typed, show: (id: string) => void): boolean {
      const overlong = all.find(({ alt }) => altTextProblem(cleanText(alt)));
      const found = {
        caption: captionProblem(cleanText(caption)) ?? undefined,
        warning: warningProblem(cleanText(warning ?? "")) ?? undefined,
        alt: (overlong && altTextProblem(cleanText(overlong.alt))) ?? undefined,
      };
      setErrors(found);
      if (overlong) show(overlong.id);
      return !Object.values(found).some(Boolean);
    },
  };
}

/** Post is at the top of a phone's window; a form's errors may be below it. */
export function useShownProblem(form: RefObject<HTMLFormElement | null>, problem: unknown): void {
  useEffect(() => {
    if (!problem) return;
    form.current
      ?.querySelector("[aria-invalid=true], [role=alert] > :first-child")
      ?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }, [form, problem]);
}
