import { data } from "react-router";

/** A page behind a single-use link: not indexed, not cached, and 410 when the link is gone. */
export const linkPageMeta = { name: "robots", content: "noindex" };

export function linkAnswer<Found>(found: Found) {
  return data(found, { status: found ? 200 : 410 });
}

/** `shouldRevalidate`: after its use the link is gone, as it should be. */
export const onlyOnce = () => false;

/** After the action the loader behind a form without scripts finds no link any more: still 200. */
export const doneByLink = <Done>(done: Done) => data(done, 200);
