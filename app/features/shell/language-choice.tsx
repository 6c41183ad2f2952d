import { lazy, Suspense, type ComponentType } from "react";
import { useRootData } from "#app/lib/page/root-data.ts";

type Props = {
  /** a member's; null: what their browser asks for. A visitor's is their browser's. */
  saved?: string | null | undefined;
};

const LanguageForm = lazy(async (): Promise<{ default: ComponentType<Props> }> => {
  try {
    return { default: (await import("#app/features/shell/language-form.tsx")).LanguageForm };
  } catch {
    return { default: () => null };
  }
});

/** Where a site is offered in more than one language: choose one of them. */
export function LanguageChoice({ saved }: Props) {
  if (!useRootData()?.languages) return null;
  return (
    <Suspense fallback={null}>
      <LanguageForm saved={saved} />
    </Suspense>
  );
}
