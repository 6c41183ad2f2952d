import { lazy, Suspense, useEffect, type ComponentType, type ReactNode } from "react";
import {
  Links,
  Meta,
  Outlet,
  redirect,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteError,
  type ShouldRevalidateFunctionArgs,
} from "react-router";
import { isRefusal } from "#shared/errors.ts";
import type { AccountSummary, Viewer } from "#shared/views.ts";
import { setImageOrigin } from "#shared/image-urls.ts";
import { FatalErrorPage } from "#app/features/shell/fatal-error-page.tsx";
import { Shell } from "#app/features/shell/shell.tsx";
import { metaDescription } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { setSiteName } from "#app/lib/page/document-title.ts";
import { refusalPage } from "#app/lib/refusals.server.ts";
import { scrollKey } from "#app/lib/lists/remembered-lists.ts";
import { around } from "#app/lib/page/around-loaders.ts";
import { useRootData, type RootData } from "#app/lib/page/root-data.ts";
import { direction, tag } from "#messages/language.json";
import { barColours, useTheme } from "#app/lib/page/theme.ts";
import { useRememberTimeZone } from "#app/lib/page/time-zone.ts";
import { nothingUnread } from "#app/lib/live/unread.ts";
import { useRouterForLinks } from "#app/ui/link.tsx";
import { PlainBoundary } from "#app/ui/plain-boundary.tsx";
import type { Route } from "./+types/root";
import styles from "#app/styles/app.css?url";

/** If even its code cannot be loaded, the plain page is shown. */
const ErrorPage = lazy(async (): Promise<{ default: ComponentType<{ error: unknown }> }> => {
  try {
    return { default: (await import("#app/features/shell/error-page.tsx")).ErrorPage };
  } catch {
    return { default: FatalErrorPage };
  }
});

export const links: Route.LinksFunction = () => [
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/icon-180.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

/** Titles are the screens' own: otherwise there would be two. */
export const meta: Route.MetaFunction = () => [metaDescription];

/** Before any loader looks up an account by an email in the address. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ params, context }) => {
    await context
      .get(appContext)
      .countAddresses(params)
      .catch((error: unknown) => {
        throw isRefusal(error) ? refusalPage(error) : error;
      });
  },
];

/** Handles pages that cannot be reached: app/features/offline/unreached.tsx. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  ({ request }, next) => around.run(request, next),
];

/** The viewer and their settings: what the shell needs on every page. */
export function loader({ url, context }: Route.LoaderArgs): RootData {
  const {
    viewer,
    leaving,
    theme,
    timeZone,
    publicUrl,
    imageBaseUrl,
    features,
    site,
    languages,
    language,
  } = context.get(appContext);
  if (leaving && !/^\/(keepaccount|signout)$/i.test(url.pathname)) {
    throw redirect("/keepAccount");
  }
  const confirmsEmail =
    viewer !== null && !viewer.emailVerified && features.verification.mailLeaves;
  const now = Date.now();
  const unread = {
    notifications: viewer?.unreadNotifications ?? 0,
    messages: viewer?.unreadMessages ?? 0,
  };
  return {
    viewer: viewer && withoutSecrets(viewer),
    moderator: viewer?.moderator ?? false,
    operator: viewer?.operator ?? false,
    confirmsEmail,
    showVeiled: viewer?.showVeiled ?? false,
    unread,
    theme,
    ...(languages.length > 1 ? { languages, language } : {}),
    timeZone,
    publicUrl,
    imageBaseUrl,
    site: site.name,
    signUp: site.signUp,
    narrow: features.posts.narrow,
    now,
  };
}

/** Another query on the same page changes no account: typing a search does not read the viewer again. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs): boolean {
  const { currentUrl, nextUrl, formMethod, defaultShouldRevalidate } = args;
  const samePage = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return samePage && !formMethod ? false : defaultShouldRevalidate;
}

function withoutSecrets({ id, username, name, avatar }: Viewer): AccountSummary {
  return { id, username, name, avatar };
}

/** Browser only: a server's next page may be for somebody else. */
let lastKnown: RootData | undefined;

/** A navigation that failed brings no data at all; the viewer and the theme have not changed. */
function useLastRootData(): RootData | undefined {
  const known = useRootData();
  useEffect(() => {
    if (known) lastKnown = known;
  }, [known]);
  return known ?? lastKnown;
}

/** By signing in or in another tab the language changed: its words are in another build. */
function useReadInLanguage(language = tag) {
  const { pathname } = useLocation();
  // Not while a page is being used, on which something may have been typed.
  useEffect(() => {
    if (language !== tag) window.location.reload();
    // oxlint-disable-next-line react/exhaustive-deps
  }, [pathname]);
}

export function Layout({ children }: { children: ReactNode }) {
  const known = useLastRootData();
  // Before anything below renders one.
  setImageOrigin(known?.imageBaseUrl ?? "");
  setSiteName(known?.site);
  const theme = useTheme(known?.theme ?? "light");
  useRememberTimeZone(known?.timeZone ?? "UTC");
  useReadInLanguage(known?.language);
  useRouterForLinks();
  const failed = useRouteError() !== undefined;
  const shell = (
    <Shell
      viewer={known?.viewer ?? null}
      confirmsEmail={known?.confirmsEmail ?? false}
      unread={known?.unread ?? nothingUnread}
    >
      {children}
    </Shell>
  );
  return (
    <html lang={tag} dir={direction === "rtl" ? "rtl" : undefined} data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content={barColours[theme]} />
        {/* With a precedence React writes it before the scripts' preloads: the first paint waits for it. */}
        <link rel="stylesheet" href={styles} precedence="page" />
        <Meta />
        <Links />
      </head>
      <body className="bg-ground text-base-content">
        {/* An error of the shell would occur around the error page too, endlessly. */}
        {failed ? <PlainBoundary plain={<FatalErrorPage />}>{shell}</PlainBoundary> : shell}
        <ScrollRestoration storageKey={scrollKey} />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Suspense fallback={null}>
      <ErrorPage error={error} />
    </Suspense>
  );
}
