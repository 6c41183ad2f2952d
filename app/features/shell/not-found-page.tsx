import { documentTitle } from "#app/lib/page/document-title.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Letter } from "#app/ui/letter.tsx";

/** The page that does not exist, returned to its sender. */
export function NotFoundPage() {
  return (
    <Letter mark="Return to sender" number="404" title="No one lives at this address">
      <title>{documentTitle("Returned to sender")}</title>
      <p className="mt-3 text-pretty text-muted">
        This page doesn't exist, or was removed. Check the link for typos.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink to="/" look="primary">
          Go home
        </ButtonLink>
        <ButtonLink to="/search">Find people</ButtonLink>
      </div>
    </Letter>
  );
}
