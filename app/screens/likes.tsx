import { Link } from "react-router";
import { findPost, refOf } from "#app/features/posts/find-post.server.ts";
import { AccountList } from "#app/features/follows/account-list.tsx";
import { appContext } from "#app/lib/context.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { formatCount } from "#app/lib/text/counts.ts";
import { apiPathOf, pathOfPost } from "#app/lib/text/links.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { publicPage } from "#app/lib/page/public-page.server.ts";
import type { Route } from "./+types/likes";

export const headers = publicPage;

/** The likes of a post; public. */
export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const post = await findPost(features, viewer, params);
  const cursor = url.searchParams.get("cursor");
  const page = await features.likes.list(viewer, refOf(post), cursor);
  return { post, page, viewerId: viewer?.id ?? null };
}

export default function Likes({ loaderData: { post, page, viewerId } }: Route.ComponentProps) {
  const { author, pictures, likeCount } = post;
  const back = pathOfPost(post);
  const path = `${back}/likes`;
  return (
    <>
      <title>{documentTitle("Liked by", author.name)}</title>
      <header className="px-4 pt-5 pb-2 md:px-0 md:pt-0">
        <h1 className="text-xl font-semibold">Liked by</h1>
        <Link
          to={back}
          className="inline-flex min-h-11 items-center text-muted wrap-anywhere hover:underline"
        >
          <span>
            {`${formatCount(likeCount, "like")} of the ${pictures.length > 0 ? "photo" : "post"} by `}
            <bdi>{author.name}</bdi>
          </span>
        </Link>
      </header>
      {page.items.length > 0 ? (
        <AccountList
          key={path}
          first={page}
          path={`${apiPathOf(post)}/likes`}
          viewerId={viewerId}
        />
      ) : (
        <EmptyState title={likeCount === 0 ? "No likes yet" : "No one to show here"} />
      )}
    </>
  );
}
