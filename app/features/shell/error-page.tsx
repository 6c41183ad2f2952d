import { lazy, Suspense } from "react";
import { useLocation } from "react-router";
import * as words from "#messages/shell.json";
import { describeError } from "#app/lib/forms/describe-error.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { useSignInLink } from "#app/features/shell/sign-in-link.ts";
import { Link } from "#app/ui/link.tsx";

const NotFoundPage = lazy(async () => ({
  default: (await import("#app/features/shell/not-found-page.tsx")).NotFoundPage,
}));

const EndedLinkPage = lazy(async () => ({
  default: (await import("#app/features/shell/ended-link-page.tsx")).EndedLinkPage,
}));

/** Replaces a page that failed: sign in, nothing here, or try again. */
export function ErrorPage({ error }: { error: unknown }) {
  const { pathname, search } = useLocation();
  const { status, code, message } = describeError(error);
  if (code === "sign-in-required") return <SignInPrompt />;
  if (status === 404 || code === "shared-link-ended") {
    return (
      <Suspense fallback={null}>{status === 404 ? <NotFoundPage /> : <EndedLinkPage />}</Suspense>
    );
  }
  return (
    <>
      <title>{documentTitle(words.notThisTime)}</title>
      <EmptyState
        heading
        title={status >= 500 ? words.heldUp : words.didNotWork}
        action={
          <>
            {status >= 500 || status === 429 ? (
              <Link to={pathname + search} reloadDocument className="btn btn-primary min-w-40">
                {words.tryAgain}
              </Link>
            ) : (
              <ButtonLink to="/" look="primary" className="min-w-40">
                {words.goHome}
              </ButtonLink>
            )}
          </>
        }
      >
        <p>{message}</p>
      </EmptyState>
    </>
  );
}

/** Replaces a page for members; signing in returns to it. */
function SignInPrompt() {
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
