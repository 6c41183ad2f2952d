import type { EmailState } from "#shared/views.ts";
import { SecuritySection } from "#app/features/identity/security/security-section.tsx";
import { ButtonLink } from "#app/ui/button.tsx";

/** The address with which one gets back in; confirming and changing it has a page of its own. */
export function EmailRow({ state }: { state: EmailState }) {
  const about = state.pending
    ? "Another address is waiting to be confirmed."
    : state.verified
      ? "Confirmed. You can use it to reset a forgotten password."
      : "Not confirmed yet. Confirm it so you can get back in if you forget your password.";
  return (
    <SecuritySection title="Email" about={about}>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line p-4">
        <p dir="ltr" className="min-w-0 font-medium wrap-anywhere">
          {state.email}
        </p>
        <ButtonLink to="/settings/email">
          {state.verified ? "Change" : "Confirm or change"}
        </ButtonLink>
      </div>
    </SecuritySection>
  );
}
