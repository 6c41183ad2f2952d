import * as words from "#messages/shell.json";
import { useSignInLink } from "#app/features/shell/sign-in-link.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

/** Replaces a page for members; signing in returns to it. */
export function SignInPrompt() {
  const signIn = useSignInLink();
  return (
    <>
      <title>{documentTitle(words.signIn)}</title>
      <EmptyState
        heading
        title={words.pleaseSignIn}
        action={
          <ButtonLink to={signIn} look="primary" className="min-w-40">
            {words.signIn}
          </ButtonLink>
        }
      >
        <p>{words.bringBack}</p>
      </EmptyState>
    </>
  );
}
