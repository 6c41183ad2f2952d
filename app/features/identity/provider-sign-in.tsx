import { lazy, Suspense } from "react";
import type { ProviderButtonsProps } from "#app/features/identity/provider-buttons.tsx";

const ProviderButtons = lazy(async () => ({
  default: (await import("#app/features/identity/provider-buttons.tsx")).ProviderButtons,
}));

/** Nothing where no provider is configured; otherwise links in the page, whose script loads after it. */
export function ProviderSignIn(props: ProviderButtonsProps) {
  if (props.providers.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ProviderButtons {...props} />
    </Suspense>
  );
}
