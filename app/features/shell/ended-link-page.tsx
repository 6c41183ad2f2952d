import { documentTitle } from "#app/lib/page/document-title.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Letter } from "#app/ui/letter.tsx";

/** A link for guests that opens nothing: the same whether it ended or never was, and of what it was nothing. */
export function EndedLinkPage() {
  return (
    <Letter mark="Delivered" number="410" title="This link has had its day">
      <title>{documentTitle("This link has ended")}</title>
      <p className="mt-3 text-pretty text-muted">
        Links like this one work for a while, and this one doesn't any more. If you were sent it in
        a message, open it there once more. If that doesn't help, ask whoever sent it for a new one.
      </p>
      <div className="mt-6">
        <ButtonLink to="/">What is Postcard?</ButtonLink>
      </div>
    </Letter>
  );
}
