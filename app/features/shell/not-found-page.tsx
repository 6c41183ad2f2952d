import * as words from "#messages/shell.json";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Letter } from "#app/ui/letter.tsx";

/** The page that does not exist, returned to its sender. */
export function NotFoundPage() {
  return (
    <Letter mark={words.returnToSender} number="404" title={words.nobodyLivesHere}>
      <title>{documentTitle(words.returnedToSender)}</title>
      <p className="mt-3 text-pretty text-muted">{words.noSuchPage}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink to="/" look="primary">
          {words.goHome}
        </ButtonLink>
        <ButtonLink to="/search">{words.findPeople}</ButtonLink>
      </div>
    </Letter>
  );
}
