import { lazy, Suspense, type ReactNode } from "react";
import { Link } from "react-router";
import { limits } from "#shared/limits.ts";
import { Feed } from "#app/features/feed/feed.tsx";
import { justPosted } from "#app/features/feed/just-posted.server.ts";
import type { DoorProps } from "#app/features/door/door.tsx";
import { whenActed } from "#app/features/shell/when-alive.tsx";
import { about } from "#app/lib/page/about.ts";
import { doorCard } from "#app/lib/page/page-card.server.ts";
import { titled } from "#app/lib/page/place.ts";
import { postedParameter } from "#app/lib/posted-path.ts";
import { appContext } from "#app/lib/context.server.ts";
import { lazyPiece, tellAway } from "#app/ui/lazy-piece.tsx";
import { publicPage } from "#app/lib/page/public-page.server.ts";
import type { Route } from "./+types/home.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.card ?? [about];

/** Most members see it once. */
const EmptyHome = lazyPiece(
  async () => (await import("#app/features/feed/empty-home.tsx")).EmptyHome,
  tellAway,
);

/** Seen by somebody who has just posted, and by nobody else. */
const Posted = lazyPiece(
  async () => (await import("#app/features/feed/posted.tsx")).Posted,
  tellAway,
);

/** For fingers alone. The first touch brings it: before, a pull is the browser's own. */
const PullToRefresh = whenActed<{ firstId: string }>(async () =>
  navigator.maxTouchPoints > 0
    ? (await import("#app/features/feed/pull-to-refresh.tsx")).PullToRefresh
    : () => null,
);

/** For visitors alone, and plain links: where its code cannot be had, the prompt is one of them. */
const Door = lazy(async (): Promise<{ default: (props: DoorProps) => ReactNode }> => {
  try {
    return { default: (await import("#app/features/door/door.tsx")).Door };
  } catch {
    return { default: BarePrompt };
  }
});

function BarePrompt() {
  return (
    <p className="p-8 text-center">
      <Link to="/signIn" className="link">
        Please Sign In To Access This section
      </Link>
    </p>
  );
}

export const headers = publicPage;

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { viewer, features, publicUrl } = context.get(appContext);
  if (!viewer) {
    const door = await features.explore.door();
    return { door, card: doorCard(publicUrl, door) };
  }
  const query = url.searchParams;
  const cursor = query.get("cursor");
  const number = cursor === null ? query.get(postedParameter) : null;
  const posted = await justPosted(features, viewer, number);
  const size = sizeFor(request);
  const { page, caughtUpTo } =
    cursor === null
      ? await features.feed.visit(viewer, size)
      : { page: await features.feed.home(viewer, cursor, size), caughtUpTo: null };
  const empty = page.items.length === 0 && cursor === null;
  const [suggestions, own] = empty
    ? await Promise.all([
        features.suggestions.list(viewer),
        features.profiles.get(viewer, viewer.id),
      ])
    : [[], null];
  const posts = own?.counts.posts ?? 0;
  return {
    door: null,
    card: null,
    page,
    posted,
    caughtUpTo,
    suggestions,
    posts,
    viewerId: viewer.id,
    newest: cursor === null,
  };
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
  if (loaderData.door) {
    const { door } = loaderData;
    return (
      <>
        <title>{titled()}</title>
        <Suspense fallback={null}>
          <Door {...door} />
        </Suspense>
      </>
    );
  }
  const { page, posted, caughtUpTo, suggestions, posts, viewerId, newest } = loaderData;
  return (
    <>
      <title>{titled()}</title>
      <h1 className="sr-only">Home</h1>
      {newest && page.items[0] && <PullToRefresh firstId={page.items[0].id} />}
      {posted && <Posted key={posted.items[0]?.id} page={posted} />}
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
        <EmptyHome suggestions={suggestions} posts={posts} />
      )}
    </>
  );
}
