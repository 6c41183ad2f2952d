import { lazy, Suspense, type ComponentType } from "react";
import { useRootData } from "#app/lib/page/root-data.ts";

const LanguageForm = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    return { default: (await import("#app/features/shell/language-form.tsx")).LanguageForm };
  } catch {
    return { default: () => null };
  }
});

/** Where a site is offered in more than one language: choose one of them. */
export function LanguageChoice() {
  if (!useRootData()?.languages) return null;
  return (
    <Suspense fallback={null}>
      <LanguageForm />
    </Suspense>
  );
}
