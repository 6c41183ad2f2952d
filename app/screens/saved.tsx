import type { Page, PostKind, PostTile, PostView } from "#shared/views.ts";
import { PostCard } from "#app/features/post-card/post-card.tsx";
import { PostGrid } from "#app/features/post-grid/post-grid.tsx";
import { appContext } from "#app/lib/context.ts";
import { orRefusalPage, requireMember } from "#app/lib/refusals.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ImagesIcon, TextAlignLeftIcon } from "#app/ui/icons.ts";
import { PageTitle } from "#app/ui/page-title.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/saved.ts";

export const meta: Route.MetaFunction = () => [{ title: "Saved · Postcard" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  const { searchParams } = new URL(request.url);
  const kind: PostKind = searchParams.get("tab") === "texts" ? "texts" : "photos";
  const cursor = searchParams.get("cursor");
  const page = await orRefusalPage(features.bookmarks.list(member, kind, cursor));
  return { kind, page, viewerId: member.id };
}

export default function Saved({ loaderData }: Route.ComponentProps) {
  const { kind, page, viewerId } = loaderData;
  const texts = kind === "texts";
  return (
    <>
      <PageTitle>Saved</PageTitle>
      <Tabs
        label="What you saved"
        tabs={[
          { to: "/saved", label: "Photos", icon: ImagesIcon, current: !texts },
          { to: "/saved?tab=texts", label: "Words", icon: TextAlignLeftIcon, current: texts },
        ]}
      />
      {page.items.length > 0 ? (
        <SavedPosts kind={kind} page={page} viewerId={viewerId} />
      ) : (
        <EmptyState title={texts ? "No words kept yet" : "No photos kept yet"}>
          <p>What you save is kept here, for you alone.</p>
        </EmptyState>
      )}
    </>
  );
}

type SavedPostsProps = { kind: PostKind; page: Page<PostView>; viewerId: string };

function SavedPosts({ kind, page: { items, nextCursor }, viewerId }: SavedPostsProps) {
  return (
    <>
      {kind === "photos" ? (
        <PostGrid tiles={items.map(tileOf)} />
      ) : (
        <div className="md:pt-4">
          {items.map((post) => (
            <PostCard key={post.id} post={post} viewerId={viewerId} />
          ))}
        </div>
      )}
      {nextCursor === null ? null : (
        <p className="p-6 text-center">
          <ButtonLink to={`?${new URLSearchParams({ tab: kind, cursor: nextCursor })}`}>
            Older posts
          </ButtonLink>
        </p>
      )}
    </>
  );
}

function tileOf({ id, number, author, pictures, caption, createdAt }: PostView): PostTile {
  return {
    id,
    number,
    authorUsername: author.username,
    picture: pictures[0] ?? null,
    pictureCount: pictures.length,
    caption,
    createdAt,
  };
}
