import { FoundPeople } from "#app/features/search/found-people.tsx";
import { SearchForm } from "#app/features/search/search-form.tsx";
import { isBlank } from "#shared/text.ts";
import { appContext } from "#app/lib/context.server.ts";
import { orRefusalPage } from "#app/lib/refusals.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/search.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, features, client } = context.get(appContext);
  const { searchParams } = new URL(request.url);
  /** null before the first search */
  const query = searchParams.get("q");
  const page =
    query === null || isBlank(query)
      ? null
      : await orRefusalPage(
          features.search.accounts(viewer, query, searchParams.get("cursor"), client),
        );
  return { query, page, viewerId: viewer?.id ?? null };
}

/** A search that does not come through keeps the field and what stands in it. */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  try {
    return { ...(await serverLoader()), failed: false };
  } catch (error) {
    // Newer letters cancelled it, or the server answered: both are for the router.
    if (request.signal.aborted || !(error instanceof TypeError)) throw error;
    const query = new URL(request.url).searchParams.get("q");
    return { query, page: null, viewerId: null, failed: true };
  }
}

export default function Search({ loaderData }: Route.ComponentProps) {
  const { query, page, viewerId } = loaderData;
  const failed = "failed" in loaderData && loaderData.failed;
  return (
    <>
      <title>{page ? `${query} · Search · Postcard` : "Search · Postcard"}</title>
      <h1 className="sr-only">Search</h1>
      <SearchForm query={query}>
        {page && query !== null ? (
          <FoundPeople key={query} query={query} page={page} viewerId={viewerId} />
        ) : failed ? (
          <p role="alert" className="px-4 py-8 text-center text-danger">
            We couldn't reach Postcard. Check your connection and search again.
          </p>
        ) : (
          <EmptyState drawing="lens" title="Who are you looking for?">
            <p>Search by name, or at least four characters of an email.</p>
          </EmptyState>
        )}
      </SearchForm>
    </>
  );
}
