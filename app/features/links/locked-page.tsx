import * as words from "#messages/links.json";
import { Letter } from "#app/ui/letter.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";
import { documentTitle } from "#app/lib/page/document-title.ts";

/** A link with a password, until that is given. It says nothing of what is behind it. */
export function LockedPage({ error }: { error: string | undefined }) {
  return (
    <Letter mark={words.sealed} number="✉" title={words.thisIsSealed}>
      <title>{documentTitle(words.aSealedLink)}</title>
      <p className="mt-3 text-pretty text-muted">{words.choseAPassword}</p>
      {/* By the browser itself: the cookie of the link goes with its own address alone. */}
      <form method="post" className="mt-6 grid gap-4">
        <input type="hidden" name="intent" value="unlock" />
        <PasswordField label={words.password} autoComplete="off" error={error} className="w-full" />
        <button className="btn justify-self-start btn-primary">{words.openIt}</button>
      </form>
    </Letter>
  );
}
