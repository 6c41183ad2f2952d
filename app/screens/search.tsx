import { FoundPeople } from "#app/features/search/found-people.tsx";
import { SearchForm } from "#app/features/search/search-form.tsx";
import { limits } from "#shared/limits.ts";
import { tagAsked } from "#shared/tags.ts";
import { isBlank } from "#shared/text.ts";
import { appContext } from "#app/lib/context.server.ts";
import { titled } from "#app/lib/page/place.ts";
import { lazyPiece, tellAway } from "#app/ui/lazy-piece.tsx";
import { publicPage } from "#app/lib/page/public-page.server.ts";
import type { Route } from "./+types/search.ts";

const BeforeSearching = lazyPiece(
  async () => (await import("#app/features/search/before-searching.tsx")).BeforeSearching,
  tellAway,
);

const TaggedPosts = lazyPiece(
  async () => (await import("#app/features/search/tagged-posts.tsx")).TaggedPosts,
  tellAway,
);

export const headers = publicPage;

export async function loader({ url: { searchParams }, context }: Route.LoaderArgs) {
  const { viewer, features, client } = context.get(appContext);
  /** null before the first search */
  const query = searchParams.get("q");
  const cursor = searchParams.get("cursor");
  const tag = query === null ? null : tagAsked(query);
  const tagged = tag && (await features.tags.posts(viewer, tag, cursor));
  const page =
    query === null || isBlank(query) || tagged
      ? null
      : await features.search.accounts(viewer, query, cursor, client);
  const [people, recent] =
    page || tagged
      ? [[], null]
      : await Promise.all([
          viewer ? features.suggestions.list(viewer, limits.exploredPeople) : [],
          features.explore.recent(viewer, searchParams.get("explore")),
        ]);
  const viewerId = viewer?.id ?? null;
  return { query, page, tagged: tagged || null, people, recent, viewerId };
}

/** A search that does not come through keeps the field and what stands in it. */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  try {
    return { ...(await serverLoader()), failed: false };
  } catch (error) {
    // Newer letters cancelled it, or the server answered: both are for the router.
    if (request.signal.aborted || !(error instanceof TypeError)) throw error;
    const query = new URL(request.url).searchParams.get("q");
    const nothing = { page: null, tagged: null, people: [], recent: null, viewerId: null };
    return { query, ...nothing, failed: true };
  }
}

export default function Search({ loaderData }: Route.ComponentProps) {
  const { query, page, tagged, people, recent, viewerId } = loaderData;
  const failed = "failed" in loaderData && loaderData.failed;
  return (
    <>
      <title>{query && (page || tagged) ? titled(query, "Search") : titled("Search")}</title>
      <h1 className="sr-only">Search</h1>
      <SearchForm query={query}>
        {tagged && query !== null ? (
          <TaggedPosts key={query} query={query} page={tagged} />
        ) : page && query !== null ? (
          <FoundPeople key={query} query={query} page={page} viewerId={viewerId} />
        ) : failed ? (
          <p role="alert" className="px-4 py-8 text-center text-danger">
            We couldn't reach Postcard. Check your connection and search again.
          </p>
        ) : (
          <BeforeSearching people={people} recent={recent} />
        )}
      </SearchForm>
    </>
  );
}
