import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { useCachedPages } from "#app/features/offline/use-cached-pages.ts";
import { Listeners } from "#app/features/shell/listeners.tsx";
import { clearOfflinePages, photosUnderWayKey } from "#app/lib/browser-data.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { connectLive } from "#app/lib/live/connect-live.ts";
import { shownPosts, useLive } from "#app/lib/live/live.ts";
import { isSigningOut } from "#app/lib/live/session-channel.ts";
import { browserStorage } from "#app/lib/storage.ts";

type Props = { viewerId: string; unread: number };

/** Listeners for members: the stream, and the end of their session. */
export function MemberListeners({ viewerId, unread }: Props) {
  useEffect(() => connectLive(viewerId), [viewerId]);
  useSignedOutElsewhere();
  usePostsThatGo();
  useReloadOnAccountChange(viewerId);
  useCountInTitle(unread);
  useCachedPages(viewerId);
  useEffect(goOnWithPhotos, []);
  return <Listeners writes />;
}

/** What loads at the first interaction goes on with photos that an earlier page left: as if there had been one. */
function goOnWithPhotos(): void {
  if (browserStorage.read(photosUnderWayKey)) document.dispatchEvent(new Event("scroll"));
}

/**
 * The session ended somewhere else: on another device, by an operator, or because it expired. The page is
 * read again as a visitor: private content goes, what one types in a public page stays, and the next click
 * asks to sign in.
 */
function useSignedOutElsewhere(): void {
  const { revalidate } = useRevalidator();
  useLive("signed-out", () => {
    if (isSigningOut()) return;
    forgetLists();
    clearOfflinePages();
    void revalidate();
  });
}

/** A post is not for the member any more: it leaves every list, the copy of the feed, and the page that shows it. */
function usePostsThatGo(): void {
  const { revalidate } = useRevalidator();
  useLive("gone", (post) => {
    void import("#app/features/posts/remove-listed.ts").then((lists) => lists.removeListed(post));
    clearOfflinePages();
    if (shownPosts().includes(post)) void revalidate();
  });
}

/** Another account than before: nothing of the former's page stays. */
function useReloadOnAccountChange(viewerId: string): void {
  const former = useRef(viewerId);
  useEffect(() => {
    const before = former.current;
    former.current = viewerId;
    if (before === viewerId) return;
    forgetLists();
    // Not the address as it is: with a # nothing would be loaded.
    window.location.replace(window.location.pathname + window.location.search);
  }, [viewerId]);
}

const counted = /^\(\d+\+?\) /;

/** "(3) Home · Postcard": puts the unread count before the title, whichever page sets it. */
function useCountInTitle(count: number): void {
  useEffect(() => {
    const write = () => {
      const plain = document.title.replace(counted, "");
      const wanted = count > 0 ? `(${count > 98 ? "99+" : count}) ${plain}` : plain;
      if (document.title !== wanted) document.title = wanted;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [count]);
}
