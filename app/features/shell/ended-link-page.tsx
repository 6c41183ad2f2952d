import * as words from "#messages/shell.json";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Letter } from "#app/ui/letter.tsx";

/** A link for guests that opens nothing: the same whether it ended or never was, and of what it was nothing. */
export function EndedLinkPage() {
  return (
    <Letter mark={words.delivered} number="410" title={words.linkHadItsDay}>
      <title>{documentTitle(words.linkEnded)}</title>
      <p className="mt-3 text-pretty text-muted">{words.linkEndedText}</p>
      <div className="mt-6">
        <ButtonLink to="/">{words.whatIsPostcard}</ButtonLink>
      </div>
    </Letter>
  );
}
