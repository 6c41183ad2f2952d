import * as words from "#messages/collections.json";
import { edit } from "#messages/common.json";
import { BookmarkedPhotos } from "#app/features/feed/bookmarked-posts.tsx";
import { collectionPath, collectionsPath } from "#app/features/collections/collection-paths.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/collection";

export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const cursor = url.searchParams.get("cursor");
  const [{ id, title }, page] = await Promise.all([
    features.collections.get(member, params.id),
    features.collections.posts(member, params.id, cursor),
  ]);
  return { id, title, page, newest: cursor === null };
}

/** The posts of a collection, photos and words in one grid. */
export default function Collection({ loaderData }: Route.ComponentProps) {
  const { id, title, page, newest } = loaderData;
  return (
    <div data-desk="" className="lg:mx-auto lg:max-w-[983px] lg:p-6">
      <BackLink to={collectionsPath}>{words.collections}</BackLink>
      <ScreenTitle title={title}>
        <span dir="auto" className="wrap-anywhere">
          {title}
        </span>
      </ScreenTitle>
      <p className="flex flex-wrap gap-2 px-4 pb-4 no-print md:px-0">
        <ButtonLink to={collectionPath(id, "add")}>{words.addOrTakeOut}</ButtonLink>
        <ButtonLink to={collectionPath(id, "edit")}>{edit}</ButtonLink>
      </p>
      {!newest && (
        <p className="p-4 text-center">
          <TextLink to={collectionPath(id)}>{words.latestAdded}</TextLink>
        </p>
      )}
      {page.items.length > 0 ? (
        <BookmarkedPhotos key={id} first={page} path={`/api${collectionPath(id)}/posts`} />
      ) : (
        <EmptyState drawing="box" title={words.nothingInIt}>
          <p>{words.nothingInItText}</p>
        </EmptyState>
      )}
    </div>
  );
}
