import type { PostTile } from "#shared/views.ts";
import * as words from "#messages/landing.json";
import { PostcardFan } from "#app/features/landing/postcard-fan.tsx";
import { LanguageChoice } from "#app/features/shell/language-choice.tsx";
import { PostGrid } from "#app/features/posts/post-grid.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import styles from "#app/styles/landing.css?url";
import drawing from "#app/features/landing/empty-town.svg?raw";

export type LandingProps = {
  /** the operator's name for the site, and description of it */
  name: string;
  line: string;
  signUp: "open" | "invitation" | "closed";
  /** newest first; empty on a new site, and where the operator shows none to visitors */
  photos: PostTile[];
};

const mostFanned = 5;

/** The landing page for visitors: the site's name, what is posted there, and how to get in. */
export function Landing({ name, line, signUp, photos }: LandingProps) {
  const fanned = byDifferentAuthors(
    photos.filter(({ sensitive }) => !sensitive),
    mostFanned,
  );
  const others = photos.filter((photo) => !fanned.includes(photo));
  // Whole rows: a grid with a hole in it looks as if something were missing.
  const gridded = others.slice(0, others.length - (others.length % 3));
  return (
    <div data-desk className="landing">
      <link rel="stylesheet" href={styles} precedence="page" />
      <section className={`landing-head fans-${fanned.length}`}>
        <div>
          <p className="font-semibold text-balance">{words.pleaseSignIn}</p>
          <h1 className="landing-line font-wordmark text-balance italic">{words.motto}</h1>
          <p dir="auto" className="text-pretty text-muted wrap-anywhere">
            {line}
          </p>
          <Ways signUp={signUp} />
        </div>
        {fanned.length > 0 ? <PostcardFan photos={fanned} /> : <EmptyTown />}
      </section>
      {gridded.length > 0 ? (
        <section aria-labelledby="lately" className="landing-lately">
          <h2 id="lately" dir="auto" className="font-wordmark wrap-anywhere italic">
            {words.lately.replace("{site}", () => name)}
          </h2>
          <PostGrid tiles={gridded} leads={false} />
          <p className="pt-6 text-center">
            <ButtonLink to="/search">{words.seeMore}</ButtonLink>
          </p>
        </section>
      ) : null}
      <LanguageChoice className="mx-auto w-full max-w-sm px-4 py-6" />
    </div>
  );
}

/** Sign-in and sign-up, as far as the operator allows them. */
function Ways({ signUp }: Pick<LandingProps, "signUp">) {
  const open = signUp !== "closed";
  return (
    <>
      <div className="mt-6 flex flex-wrap gap-3">
        {open ? (
          <ButtonLink to="/signUp" look="primary">
            {signUp === "open" ? words.createAccount : words.withInvitation}
          </ButtonLink>
        ) : null}
        <ButtonLink to="/signIn" look={open ? "outline" : "primary"}>
          {words.signIn}
        </ButtonLink>
      </div>
      {signUp === "invitation" ? (
        <p className="mt-3 text-sm text-muted">{words.askForInvitation}</p>
      ) : null}
      {signUp === "closed" ? <p className="mt-3 text-sm text-muted">{words.closed}</p> : null}
    </>
  );
}

/** The newest photo of each author, as long as there are different ones; then the newest of the rest. */
function byDifferentAuthors(photos: PostTile[], most: number): PostTile[] {
  const seen = new Set<string>();
  const firsts = photos.filter(({ authorUsername }) => {
    if (seen.has(authorUsername)) return false;
    seen.add(authorUsername);
    return true;
  });
  const rest = photos.filter((photo) => !firsts.includes(photo));
  return [...firsts, ...rest].slice(0, most);
}

/** A town by the water before anybody has posted: an unwritten postcard, in the colours of landing.css. */
const EmptyTown = () => (
  <svg
    viewBox="0 0 400 400"
    aria-hidden="true"
    className="fill-none"
    dangerouslySetInnerHTML={{ __html: drawing }}
  />
);
