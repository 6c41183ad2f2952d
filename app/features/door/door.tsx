import type { PostTile } from "#shared/views.ts";
import { EmptyTown } from "#app/features/door/empty-town.tsx";
import { PostcardFan } from "#app/features/door/postcard-fan.tsx";
import { PostGrid } from "#app/features/posts/post-grid.tsx";
import { ButtonLink } from "#app/ui/button.tsx";

export type DoorProps = {
  /** what the operator calls the place, and says of it */
  name: string;
  line: string;
  signUp: "open" | "invitation" | "closed";
  /** newest first; empty in a new town, and where the operator shows none to visitors */
  photos: PostTile[];
};

const mostFanned = 5;

/** What a visitor finds on the front page: whose place this is, what it looks like, the ways in. */
export function Door({ name, line, signUp, photos }: DoorProps) {
  const fanned = ofDifferentPeople(photos, mostFanned);
  const others = photos.filter((photo) => !fanned.includes(photo));
  // Whole rows: a grid with a hole in it looks like something is missing.
  const gridded = others.slice(0, others.length - (others.length % 3));
  return (
    <div data-desk className="mx-auto max-w-[61rem] overflow-x-clip pb-10 md:pb-16">
      <section className="grid items-center gap-x-8 px-5 pt-4 md:pt-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,25rem)] lg:px-8 lg:pt-12">
        <div className="relative z-10 max-lg:pt-3 md:max-lg:pt-8">
          <p className="font-semibold">Please Sign In To Access This section</p>
          <h1 className="mt-2 font-wordmark lg:mt-4 text-[2.625rem]/[1.06] text-balance italic sm:text-6xl/[1.06] lg:text-[4.25rem]/[1.04]">
            A picture on one side, a few warm words on the other.
          </h1>
          <p dir="auto" className="mt-4 max-w-md text-base/6 sm:text-lg/7 lg:mt-6 text-pretty text-muted wrap-anywhere">
            {line}
          </p>
          <Ways signUp={signUp} />
        </div>
        <div className="max-lg:order-first">
          {fanned.length > 0 ? <PostcardFan photos={fanned} /> : <EmptyTown />}
        </div>
      </section>
      {gridded.length > 0 ? (
        <section aria-labelledby="lately" className="pt-14 lg:px-8 lg:pt-20">
          <h2
            id="lately"
            dir="auto"
            className="px-5 pb-4 font-wordmark text-3xl wrap-anywhere italic lg:px-0"
          >
            Lately on {name}
          </h2>
          <PostGrid tiles={gridded} leads={false} />
          <p className="px-5 pt-6 text-center">
            <ButtonLink to="/search">See more photos</ButtonLink>
          </p>
        </section>
      ) : null}
    </div>
  );
}

/** The two ways in, as the operator lets people in. */
function Ways({ signUp }: Pick<DoorProps, "signUp">) {
  const open = signUp !== "closed";
  return (
    <>
      <div className="mt-5 flex flex-wrap gap-3 lg:mt-7">
        {open ? (
          <ButtonLink to="/signUp" look="primary" className="h-12 px-6">
            {signUp === "open" ? "Create your account" : "Use your invitation"}
          </ButtonLink>
        ) : null}
        <ButtonLink to="/signIn" look={open ? "outline" : "primary"} className="h-12 px-6">
          Sign In
        </ButtonLink>
      </div>
      {signUp === "invitation" ? (
        <p className="mt-3 text-sm text-muted">New here? A member can invite you.</p>
      ) : null}
      {signUp === "closed" ? (
        <p className="mt-3 text-sm text-muted">New accounts are closed for now.</p>
      ) : null}
    </>
  );
}

/** The newest of each, as long as there are different people; then whatever is newest. */
function ofDifferentPeople(photos: PostTile[], most: number): PostTile[] {
  const seen = new Set<string>();
  const firsts = photos.filter(({ authorUsername }) => {
    if (seen.has(authorUsername)) return false;
    seen.add(authorUsername);
    return true;
  });
  const rest = photos.filter((photo) => !firsts.includes(photo));
  return [...firsts, ...rest].slice(0, most);
}
