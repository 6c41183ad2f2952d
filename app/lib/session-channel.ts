type SessionNews = "signed-in" | "signed-out";

const name = "postcard-session";

/** Tells the other tabs of this browser who is signed in now. */
export function tellOtherTabs(news: SessionNews): void {
  const channel = new BroadcastChannel(name);
  // A channel reaches its own origin only; it takes no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(news);
  channel.close();
}

/** @returns the way to stop listening */
export function onSessionNews(listener: (news: SessionNews) => void): () => void {
  const channel = new BroadcastChannel(name);
  channel.addEventListener("message", ({ data }: MessageEvent<SessionNews>) => listener(data));
  return () => channel.close();
}
