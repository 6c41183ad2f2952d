import { useEffect, useRef } from "react";
import { useLocation, useRevalidator } from "react-router";
import { Completing } from "#app/features/completion/completing.tsx";
import { passOverLeftEntries } from "#app/features/posts/lightbox/over-page.ts";
import { useKeptPages } from "#app/features/offline/use-kept-pages.ts";
import { Unreached } from "#app/features/offline/unreached.tsx";
import { useKeyboardRoom } from "#app/features/shell/use-keyboard-room.ts";
import { useLiveConnection } from "#app/features/shell/use-live-connection.ts";
import { Shortcuts } from "#app/features/shell/shortcuts/shortcuts.tsx";
import { useLive } from "#app/lib/live/live.ts";
import { forgetKeptMessages, forgetKeptPages } from "#app/lib/forms/kept-messages.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { isSigningOut, onSessionNews } from "#app/lib/live/session-channel.ts";
import { useCountInTitle } from "#app/lib/live/title-count.ts";

type ListenersProps = { viewerId: string | null; unread: number };

/**
 * What only listens: to the keyboard, to the other tabs, to the stream and to titles. Nobody waits
 * for it to see a page. It is the last to come, so it also marks the document as alive, for tests and
 * for programs.
 */
export function Listeners({ viewerId, unread }: ListenersProps) {
  useFollowOtherTabs();
  useLiveConnection(viewerId);
  useSignedOutFromAfar();
  useAnewForAnother(viewerId);
  useCountInTitle(unread);
  useKeptPages(viewerId);
  useKeyboardRoom();
  const { key } = useLocation();
  useEffect(() => passOverLeftEntries(key), [key]);
  useEffect(() => {
    document.documentElement.dataset["alive"] = "";
  }, []);
  return (
    <>
      <Shortcuts />
      <Unreached />
      {viewerId === null ? null : <Completing />}
    </>
  );
}

/** Signed out elsewhere: nothing of the member stays here. Signed in elsewhere: be a member here. */
function useFollowOtherTabs(): void {
  const { revalidate } = useRevalidator();
  useEffect(
    () =>
      onSessionNews((news) => {
        if (news === "signed-out") {
          forgetLists();
          forgetKeptMessages();
          window.location.assign("/");
        } else void revalidate();
      }),
    [revalidate],
  );
}

/**
 * The session ended somewhere else: on another device, by an operator, or because it ran out. The
 * page is read again as a visitor reads it: what is private goes, what one types in a page that is
 * open to all stays, and the next click asks to sign in.
 */
function useSignedOutFromAfar(): void {
  const { revalidate } = useRevalidator();
  useLive("signed-out", () => {
    if (isSigningOut()) return;
    forgetLists();
    forgetKeptPages();
    void revalidate();
  });
}

/** Another account than before: nothing of the former's page stays. */
function useAnewForAnother(viewerId: string | null): void {
  const former = useRef(viewerId);
  useEffect(() => {
    const before = former.current;
    former.current = viewerId;
    if (before === null || viewerId === null || before === viewerId) return;
    forgetLists();
    // Not the address as it is: with a # nothing would be loaded.
    window.location.replace(window.location.pathname + window.location.search);
  }, [viewerId]);
}
