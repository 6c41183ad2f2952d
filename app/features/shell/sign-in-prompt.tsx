import { useSignInLink } from "#app/features/shell/sign-in-link.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

/** Replaces a page for members; signing in returns to it. */
export function SignInPrompt() {
  const signIn = useSignInLink();
  return (
    <>
      <title>{documentTitle("Sign In")}</title>
      <EmptyState
        heading
        title="Please Sign In To Access This section"
        action={
          <ButtonLink to={signIn} look="primary" className="min-w-40">
            Sign In
          </ButtonLink>
        }
      >
        <p>We'll bring you back here.</p>
      </EmptyState>
    </>
  );
}
