import { limits } from "#shared/limits.ts";

/** Failed calls are repeated after, milliseconds. */
const againMs = 10_000;

/** Reports to the server which posts the tabs of a stream show: the latest state, one call at a time. */
export function createWatchedPostsCall(ended: AbortSignal) {
  let sentTo = "";
  let sent = "";
  let wanted = "";
  let calling = false;

  async function call(): Promise<void> {
    if (calling) return;
    calling = true;
    while (wanted !== sent && !ended.aborted) {
      const body = wanted;
      if (await put(body)) sent = body;
      else await new Promise((resolve) => setTimeout(resolve, againMs));
    }
    calling = false;
  }

  return (stream: string, posts: readonly string[]): void => {
    // A new stream follows nothing yet.
    if (stream !== sentTo) sent = JSON.stringify({ stream, posts: [] });
    sentTo = stream;
    wanted = JSON.stringify({ stream, posts: posts.slice(-limits.watchedPosts) });
    void call();
  };
}

/** Whether it is reported, or need not be repeated: a refusal is final. */
async function put(body: string): Promise<boolean> {
  try {
    const answer = await fetch("/api/events/watched", {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body,
      signal: AbortSignal.timeout(20_000),
    });
    return answer.status < 500 && answer.status !== 429;
  } catch {
    return false;
  }
}
