import { data } from "react-router";

/** A page behind a single-use link: no search engine, no cache, and 410 when there is nothing. */
export const linkPageMeta = { name: "robots", content: "noindex" };

export function linkAnswer<Found>(found: Found) {
  return data(found, { status: found ? 200 : 410 });
}

/** What a link did. It is gone now, and the loader behind a form without scripts finds nothing: still 200. */
export const doneByLink = <Done>(done: Done) => data(done, 200);
