import { lazy, Suspense, type ComponentType } from "react";
import { useRootData } from "#app/lib/page/root-data.ts";

export type LanguageProps = {
  /** where it stands on its page */
  className: string;
  /** a member's; null: what their browser asks for. A visitor's is their browser's. */
  saved?: string | null | undefined;
};

const LanguageForm = lazy(async (): Promise<{ default: ComponentType<LanguageProps> }> => {
  try {
    return { default: (await import("#app/features/shell/language-form.tsx")).LanguageForm };
  } catch {
    return { default: () => null };
  }
});

/** Where a site is offered in more than one language: choose one of them. */
export function LanguageChoice(props: LanguageProps) {
  if (!useRootData()?.languages) return null;
  return (
    <Suspense fallback={null}>
      <LanguageForm {...props} />
    </Suspense>
  );
}
