import { FoundPeople } from "#app/features/people-search/found-people.tsx";
import { SearchForm } from "#app/features/people-search/search-form.tsx";
import { isBlank } from "#shared/text.ts";
import { appContext } from "#app/lib/context.ts";
import { orRefusalPage } from "#app/lib/refusals.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/search.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const { searchParams } = new URL(request.url);
  /** null before the first search */
  const query = searchParams.get("q");
  const page =
    query === null || isBlank(query)
      ? null
      : await orRefusalPage(features.search.accounts(viewer, query, searchParams.get("cursor")));
  return { query, page, viewerId: viewer?.id ?? null };
}

export default function Search({ loaderData: { query, page, viewerId } }: Route.ComponentProps) {
  return (
    <>
      <title>{page ? `${query} · Search · Postcard` : "Search · Postcard"}</title>
      <h1 className="sr-only">Search</h1>
      <SearchForm query={query} />
      {page && query !== null ? (
        <FoundPeople key={query} query={query} page={page} viewerId={viewerId} />
      ) : (
        <EmptyState title="Who are you looking for?">
          <p>Write a name, or a part of one.</p>
        </EmptyState>
      )}
    </>
  );
}
