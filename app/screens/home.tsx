import { lazy, Suspense, type ReactNode } from "react";
import { limits } from "#shared/limits.ts";
import { newestPosts } from "#messages/feed.json";
import { pleaseSignIn } from "#messages/landing.json";
import { home } from "#messages/shell.json";
import { readFirstDay } from "#app/features/first-day/read-first-day.server.ts";
import { Feed } from "#app/features/feed/feed.tsx";
import type { LandingProps } from "#app/features/landing/landing.tsx";
import { whenInteracted } from "#app/features/shell/when-hydrated.tsx";
import { metaDescription } from "#app/lib/page/meta-description.ts";
import { landingPreview } from "#app/lib/page/link-preview.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { postedParameter } from "#app/lib/posted-path.ts";
import { appContext, type PageContext } from "#app/lib/context.server.ts";
import { lazyContent, notifyUnreachable } from "#app/ui/lazy-component.tsx";
import { publicPage } from "#app/lib/page/public-page.server.ts";
import { inLanguage } from "#app/lib/text/refusal-sentences.ts";
import { Link } from "#app/ui/link.tsx";
import type { Route } from "./+types/home";
import type { FeedPost, Page, Viewer } from "#shared/views.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.card ?? [metaDescription];

/** Most members see it once. */
const EmptyHome = lazyContent(
  async () => (await import("#app/features/feed/empty-home.tsx")).EmptyHome,
  notifyUnreachable,
);

/** Only the first two members of a place see it. */
const FirstDay = lazyContent(
  async () => (await import("#app/features/first-day/first-day.tsx")).FirstDay,
  notifyUnreachable,
);

/** Only somebody who has just posted sees it. */
const Posted = lazyContent(
  async () => (await import("#app/features/feed/posted.tsx")).Posted,
  notifyUnreachable,
);

/** For touch screens only. The first touch loads it: before, a pull is the browser's own. */
const PullToRefresh = whenInteracted<{ firstId: string }>(async () =>
  navigator.maxTouchPoints > 0
    ? (await import("#app/features/feed/pull-to-refresh.tsx")).PullToRefresh
    : () => null,
);

/** For visitors only, and plain links: if its code cannot be loaded, the prompt is one of them. */
const Landing = lazy(async (): Promise<{ default: (props: LandingProps) => ReactNode }> => {
  try {
    return { default: (await import("#app/features/landing/landing.tsx")).Landing };
  } catch {
    return { default: BarePrompt };
  }
});

function BarePrompt() {
  return (
    <p className="p-8 text-center">
      <Link to="/signIn" className="link">
        {pleaseSignIn}
      </Link>
    </p>
  );
}

export const headers = publicPage;

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { viewer, features, publicUrl } = context.get(appContext);
  if (!viewer) {
    const shown = await features.explore.landing();
    // What a new site says of itself is translated; an operator's own line stays as it is.
    const landing = { ...shown, line: inLanguage(shown.line) };
    return { landing, card: landingPreview(publicUrl, landing) };
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
  const firstDay = cursor === null ? await readFirstDay(features, viewer, page.items) : null;
  const [suggestions, own] = await Promise.all([
    empty ? features.suggestions.list(viewer) : [],
    empty || firstDay ? features.profiles.get(viewer, viewer.id) : null,
  ]);
  const posts = own?.counts.posts ?? 0;
  return {
    landing: null,
    card: null,
    page,
    posted,
    caughtUpTo,
    firstDay,
    suggestions,
    posts,
    viewerId: viewer.id,
    newest: cursor === null,
  };
}

/**
 * A document is rendered completely before anything is visible, and hydrated before anything can be
 * pressed: it has fewer posts than a later page request.
 */
function sizeFor(request: Request): number {
  const first = request.headers.get("Sec-Fetch-Dest") === "document";
  return first ? limits.homePage : limits.feedPage;
}

export default function Home({ loaderData }: Route.ComponentProps) {
  if (loaderData.landing) {
    const { landing } = loaderData;
    return (
      <>
        <title>{documentTitle()}</title>
        <Suspense fallback={null}>
          <Landing {...landing} />
        </Suspense>
      </>
    );
  }
  const { page, posted, caughtUpTo, firstDay, suggestions, posts, viewerId, newest } = loaderData;
  return (
    <>
      <title>{documentTitle()}</title>
      <h1 className="sr-only">{home}</h1>
      {newest && page.items[0] && <PullToRefresh firstId={page.items[0].id} />}
      {posted && <Posted key={posted.items[0]?.id} page={posted} />}
      {firstDay && <FirstDay day={firstDay} posts={posts} />}
      {!newest && (
        <p className="p-4 text-center">
          <Link to="/" className="link">
            {newestPosts}
          </Link>
        </p>
      )}
      {page.items.length > 0 ? (
        <Feed first={page} {...{ viewerId, newest, caughtUpTo }} />
      ) : (
        <EmptyHome suggestions={suggestions} posts={posts} greeted={!!firstDay} />
      )}
    </>
  );
}

type Features = Pick<PageContext["features"], "posts">;

/** The just published post that the address of the home page names, as a list of one. */
async function justPosted(
  { posts }: Features,
  viewer: Viewer,
  number: string | null,
): Promise<Page<FeedPost> | null> {
  if (number === null || !/^[1-9]\d{0,8}$/.test(number)) return null;
  const post = await posts.justPublished(viewer, Number(number));
  return post && { items: [post], nextCursor: null };
}
