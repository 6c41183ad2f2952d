import { failed as searchFailed } from "#messages/search.json";
import { search as title } from "#messages/shell.json";
import { FoundAccounts } from "#app/features/search/found-accounts.tsx";
import { SearchForm } from "#app/features/search/search-form.tsx";
import { limits } from "#shared/limits.ts";
import { tagAsked } from "#shared/tags.ts";
import { isBlank } from "#shared/text.ts";
import { appContext, type PageContext } from "#app/lib/context.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { lazyComponent, notifyUnreachable } from "#app/ui/lazy-component.tsx";
import { publicPage } from "#app/lib/page/public-page.server.ts";
import type { Route } from "./+types/search";

const SearchSuggestions = lazyComponent(
  async () => (await import("#app/features/search/search-suggestions.tsx")).SearchSuggestions,
  notifyUnreachable,
);

const TaggedPosts = lazyComponent(
  async () => (await import("#app/features/search/tagged-posts.tsx")).TaggedPosts,
  notifyUnreachable,
);

export const headers = publicPage;

export async function loader({ url: { searchParams }, context }: Route.LoaderArgs) {
  const asked = context.get(appContext);
  const { viewer, features, client } = asked;
  /** null before the first search */
  const query = searchParams.get("q");
  const cursor = searchParams.get("cursor");
  const tag = query === null ? null : tagAsked(query);
  const tagged = tag && (await taggedPosts(asked, tag, cursor));
  const page =
    query === null || isBlank(query) || tagged
      ? null
      : await features.search.accounts(viewer, query, cursor, client);
  const [accounts, recent] =
    page || tagged
      ? [[], null]
      : await Promise.all([
          viewer ? features.suggestions.list(viewer, limits.exploredAccounts) : [],
          features.explore.recent(viewer, searchParams.get("explore")),
        ]);
  const nothing = recent !== null && recent.items.length === 0 && accounts.length === 0;
  const alone = nothing && viewer !== null && (await features.firstDay(viewer))?.alone === true;
  const viewerId = viewer?.id ?? null;
  return { query, page, tagged: tagged || null, accounts, recent, alone, viewerId };
}

/** The posts of a tag, and how many they are. */
async function taggedPosts({ viewer, features }: PageContext, tag: string, cursor: string | null) {
  const page = await features.tags.posts(viewer, tag, cursor);
  const shown = page.items.length;
  if (cursor === null && page.nextCursor === null)
    return { page, count: { posts: shown, more: false } };
  const { posts, more } = await features.tags.count(viewer, tag);
  return { page, count: { posts: Math.max(posts, shown), more } };
}

/** A search that fails keeps the field and the results. */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  try {
    return { ...(await serverLoader()), failed: false };
  } catch (error) {
    // Cancelled by a newer search, or refused by the server: both are for the router.
    if (request.signal.aborted || !(error instanceof TypeError)) throw error;
    const query = new URL(request.url).searchParams.get("q");
    const nothing = {
      page: null,
      tagged: null,
      accounts: [],
      recent: null,
      alone: false,
      viewerId: null,
    };
    return { query, ...nothing, failed: true };
  }
}

export default function Search({ loaderData }: Route.ComponentProps) {
  const { query, page, tagged, accounts, recent, alone, viewerId } = loaderData;
  const failed = "failed" in loaderData && loaderData.failed;
  return (
    <>
      <title>
        {query && (page || tagged) ? documentTitle(query, title) : documentTitle(title)}
      </title>
      <h1 className="sr-only">{title}</h1>
      <SearchForm query={query}>
        {tagged && query !== null ? (
          <TaggedPosts key={query} query={query} {...tagged} />
        ) : page && query !== null ? (
          <FoundAccounts key={query} query={query} page={page} viewerId={viewerId} />
        ) : failed ? (
          <p role="alert" className="px-4 py-8 text-center text-danger">
            {searchFailed}
          </p>
        ) : (
          <SearchSuggestions {...{ accounts, recent, alone }} />
        )}
      </SearchForm>
    </>
  );
}
