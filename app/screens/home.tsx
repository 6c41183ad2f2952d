import { Link } from "react-router";
import { limits } from "#shared/limits.ts";
import { Feed } from "#app/features/feed/feed.tsx";
import { EmptyHome } from "#app/features/feed/empty-home.tsx";
import { appContext } from "#app/lib/context.server.ts";
import { orRefusalPage, requireMember } from "#app/lib/refusals.server.ts";
import type { Route } from "./+types/home.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  const cursor = new URL(request.url).searchParams.get("cursor");
  const size = sizeFor(request);
  const { page, caughtUpTo } =
    cursor === null
      ? await features.feed.visit(member, size)
      : { page: await orRefusalPage(features.feed.home(member, cursor, size)), caughtUpTo: null };
  const empty = page.items.length === 0 && cursor === null;
  const [suggestions, own] = empty
    ? await Promise.all([
        features.feed.suggestions(member),
        features.profiles.get(member, member.id),
      ])
    : [[], null];
  const posts = own?.counts.posts ?? 0;
  return { page, caughtUpTo, suggestions, posts, viewerId: member.id, newest: cursor === null };
}

/**
 * A document is drawn whole before one sees anything of it, and taken over before one presses
 * anything: it has fewer posts than what a page that is alive asks for.
 */
function sizeFor(request: Request): number {
  const first = request.headers.get("Sec-Fetch-Dest") === "document";
  return first ? limits.homePage : limits.feedPage;
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const { page, caughtUpTo, suggestions, posts, viewerId, newest } = loaderData;
  return (
    <>
      <title>Postcard</title>
      <h1 className="sr-only">Home</h1>
      {!newest && (
        <p className="p-4 text-center">
          <Link to="/" className="link">
            Newest posts
          </Link>
        </p>
      )}
      {page.items.length > 0 ? (
        <Feed first={page} {...{ viewerId, newest, caughtUpTo }} />
      ) : (
        <EmptyHome suggestions={suggestions} posts={posts} viewerId={viewerId} />
      )}
    </>
  );
}
