import { lazy, Suspense, useEffect, useRef, type ReactNode } from "react";
import { useLocation, useNavigation } from "react-router";
import type { Unread } from "#shared/live.ts";
import type { AccountSummary } from "#shared/views.ts";
import * as words from "#messages/shell.json";
import { BottomBar } from "#app/features/shell/bottom-bar.tsx";
import { Header } from "#app/features/shell/header.tsx";
import { Listeners } from "#app/features/shell/listeners.tsx";
import { Rail } from "#app/features/shell/rail.tsx";
import { Sidebar } from "#app/features/shell/sidebar.tsx";
import { whenHydrated } from "#app/features/shell/when-hydrated.tsx";
import { useUnread } from "#app/lib/live/unread.ts";
import { ToastHost } from "#app/ui/toast-host.tsx";

/** Hardly anybody sees it, and it needs no code: it is a plain form. */
const ConfirmBanner = lazy(async () => ({
  default: (await import("#app/features/identity/verification/confirm-banner.tsx")).ConfirmBanner,
}));
/** Every page has them: a file of their own would be larger than they are. */
const VisitorListeners = whenHydrated(async () => Listeners);
const MemberListeners = whenHydrated(
  async () => (await import("#app/features/shell/member-listeners.tsx")).MemberListeners,
);

type ShellProps = {
  viewer: AccountSummary | null;
  /** the member's address is not confirmed yet */
  confirmsEmail: boolean;
  unread: Unread;
  children: ReactNode;
};

/** The frame of every page. */
export function Shell({ viewer, confirmsEmail, unread: read, children }: ShellProps) {
  const unread = useUnread(read);
  // Conversations scroll inside, between their own header and the message field.
  const fills = /^\/chat(\/|$)/i.test(useLocation().pathname);
  useFocusOnNewPage();
  return (
    <>
      <a
        href="#page"
        className="btn btn-primary fixed start-3 top-3 z-70 -translate-y-20 focus:translate-y-0"
      >
        {words.skipToContent}
      </a>
      <NavigationProgress />
      <Sidebar viewerId={viewer?.id ?? null} />
      <div
        className={`pb-[calc(3.5rem+env(safe-area-inset-bottom))] md:ps-18 md:pb-0 lg:ps-60 print:p-0 ${
          fills ? "flex h-dvh flex-col" : ""
        }`}
      >
        {confirmsEmail ? (
          <Suspense>
            <ConfirmBanner />
          </Suspense>
        ) : null}
        <Header viewer={viewer} unread={unread} />
        <div
          className={
            fills
              ? "min-h-0 flex-1"
              : // A page that needs the whole width of a desktop has it, without the rail.
                "mx-auto flex max-w-[1000px] justify-center gap-14 md:px-6 md:py-6 lg:has-data-desk:max-w-none lg:has-data-desk:p-0 has-data-desk:[&>aside]:hidden has-data-people:[&>aside]:invisible"
          }
        >
          <main
            id="page"
            tabIndex={-1}
            className={
              fills
                ? "h-full overflow-y-auto"
                : "w-full max-w-column min-w-0 lg:has-data-desk:max-w-none"
            }
          >
            {children}
          </main>
          <Rail viewerId={viewer?.id ?? null} />
        </div>
      </div>
      <BottomBar viewerId={viewer?.id ?? null} />
      <ToastHost />
      {viewer ? (
        <MemberListeners viewerId={viewer.id} unread={unread.notifications + unread.messages} />
      ) : (
        <VisitorListeners />
      )}
    </>
  );
}

/** A new page is read from its beginning, unless it put the focus somewhere itself. */
function useFocusOnNewPage(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const page = document.querySelector<HTMLElement>("#page");
    if (!page?.contains(document.activeElement)) page?.focus({ preventScroll: true });
  }, [pathname]);
}

/** An airmail stripe along the top while a page is loading. */
function NavigationProgress() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  return (
    <div className="fixed inset-x-0 top-0 z-50 h-1 overflow-hidden motion-fade-late">
      <div className="airmail -ms-10 h-full w-[calc(100%+5rem)] motion-travel" />
      <output className="sr-only">{words.loading}</output>
    </div>
  );
}
