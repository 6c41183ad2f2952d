import { limits } from "#shared/limits.ts";
import type { PostKind } from "#shared/views.ts";
import * as words from "#messages/collections.json";
import { photos, texts as textPosts } from "#messages/profile.json";
import * as shell from "#messages/shell.json";
import { BookmarkedPosts } from "#app/features/feed/bookmarked-posts.tsx";
import { memberPage } from "#app/lib/refusals.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ImagesIcon, TextAlignLeftIcon } from "#app/ui/icons.ts";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/bookmarks";

export async function loader({ url: { searchParams }, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const kind: PostKind = searchParams.get("tab") === "texts" ? "texts" : "photos";
  const cursor = searchParams.get("cursor");
  const [page, counts] = await Promise.all([
    features.bookmarks.list(member, kind, cursor),
    features.bookmarks.counts(member),
  ]);
  return { kind, page, counts, viewerId: member.id, newest: cursor === null };
}

const counted = (count: number) => (count < limits.countedBookmarks ? String(count) : "99+");

export default function Bookmarks({ loaderData }: Route.ComponentProps) {
  const { kind, page, counts, viewerId, newest } = loaderData;
  const texts = kind === "texts";
  return (
    <div data-desk="" className="lg:mx-auto lg:max-w-[983px] lg:p-6">
      <div className="flex flex-wrap items-baseline justify-between md:block">
        <ScreenTitle>{shell.saved}</ScreenTitle>
        <p className="px-4 pb-2 md:px-0">
          <ButtonLink to="/saved/collections">{words.collections}</ButtonLink>
        </p>
      </div>
      <Tabs
        label={words.savedPosts}
        tabs={[
          {
            to: "/saved",
            label: photos,
            count: counted(counts.photos),
            icon: ImagesIcon,
            current: !texts,
          },
          {
            to: "/saved?tab=texts",
            label: textPosts,
            count: counted(counts.texts),
            icon: TextAlignLeftIcon,
            current: texts,
          },
        ]}
      />
      {!newest && (
        <p className="p-4 text-center">
          <TextLink to={texts ? "/saved?tab=texts" : "/saved"}>{words.latestSaved}</TextLink>
        </p>
      )}
      {page.items.length > 0 ? (
        <BookmarkedPosts key={kind} kind={kind} first={page} viewerId={viewerId} />
      ) : (
        <EmptyState
          drawing="box"
          title={words.nothingSaved}
          action={<ButtonLink to="/">{shell.goHome}</ButtonLink>}
        >
          <p>{words.nothingSavedText}</p>
        </EmptyState>
      )}
    </div>
  );
}
