import { openTabsChannel } from "#app/lib/tabs-channel.ts";

type SessionChange = "signed-in" | "signed-out";

let signingOut = false;

/** This page itself ends the session, and says so in its own way. */
export const isSigningOut = (): boolean => signingOut;

export function setSigningOut(now: boolean): void {
  signingOut = now;
}

let channel: BroadcastChannel | null | undefined;

/** One a tab: what is sent through a channel reaches every other one, even in the same tab. */
function tabsChannel(): BroadcastChannel | null {
  if (channel === undefined) channel = openTabsChannel("postcard-session");
  return channel;
}

/** Notifies the other tabs of this browser who is signed in now. */
export function notifyOtherTabs(news: SessionChange): void {
  // A channel reaches its own origin only; it takes no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabsChannel()?.postMessage(news);
}

/** @returns a function that stops listening */
export function onSessionChange(listener: (news: SessionChange) => void): () => void {
  const tabs = tabsChannel();
  const onMessage = ({ data }: MessageEvent<SessionChange>) => listener(data);
  tabs?.addEventListener("message", onMessage);
  return () => tabs?.removeEventListener("message", onMessage);
}
