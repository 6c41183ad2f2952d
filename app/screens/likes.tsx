import * as words from "#messages/likes.json";
import { likedBy } from "#messages/posts.json";
import { findPost, refOf } from "#app/features/posts/find-post.server.ts";
import { FollowRow } from "#app/features/follows/follow-row.tsx";
import { appContext } from "#app/lib/context.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { wholeCount } from "#app/lib/text/counts.ts";
import { apiPathOf, pathOfPost } from "#app/lib/text/links.ts";
import { formOf, rich } from "#app/lib/text/messages.tsx";
import { EndlessRows } from "#app/ui/endless-rows.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { publicPage } from "#app/lib/page/public-page.server.ts";
import { Link } from "#app/ui/link.tsx";
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
  const likesOf = pictures.length > 0 ? words.likesOfPhoto : words.likesOfPost;
  return (
    <>
      <title>{documentTitle(likedBy, author.name)}</title>
      <header className="px-4 pt-5 pb-2 md:px-0 md:pt-0">
        <h1 className="text-xl font-semibold">{likedBy}</h1>
        <Link
          to={back}
          className="inline-flex min-h-11 items-center text-muted wrap-anywhere hover:underline"
        >
          <span>
            {rich(formOf(likesOf, likeCount), {
              count: wholeCount(likeCount),
              name: <bdi>{author.name}</bdi>,
            })}
          </span>
        </Link>
      </header>
      <EndlessRows
        key={back}
        first={page}
        from={`${apiPathOf(post)}/likes`}
        empty={<EmptyState title={likeCount === 0 ? words.noLikes : words.noOneToShow} />}
      >
        {(account) => <FollowRow key={account.id} account={account} viewerId={viewerId} />}
      </EndlessRows>
    </>
  );
}
