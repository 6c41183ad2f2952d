import { decimalOf, idsAround } from "#server/platform/db/decimal-ids.ts";
import type { AppEvent, Listener, AppStreamEvent } from "#server/features/talk/index.ts";
import { notificationEntities, supportedKinds } from "#server/mastodon/entities/notifications.ts";
import { statusEntities } from "#server/mastodon/entities/statuses.ts";
import { postItem } from "#server/features/posts/index.ts";
import type { MastodonDeps } from "#server/mastodon/router.ts";

/** Acts of one account that are streamed at once; an app that reads its list finds the rest. */
const mostActs = 100;

type Deps = Pick<MastodonDeps, "features" | "publicUrl" | "imagesUrl">;
type NewsOf<Kind extends AppEvent["kind"]> = Extract<AppEvent, { kind: Kind }>;

const streamEvent = (event: string, payload: string): AppStreamEvent => ({
  event,
  payload,
  quoted: JSON.stringify(payload),
});

/**
 * Streams to apps what happened, as docs.joinmastodon.org/methods/streaming, "Events", describes it: a post
 * is written once, and differs between recipients only in whether they liked or saved it.
 */
export function createStreamingEvents(deps: Deps) {
  const { relations, notifications, live } = deps.features;

  return async (news: AppEvent): Promise<void> => {
    if (news.kind === "notifications") await publishNotifications(news);
    else if (news.kind === "gone") publishRemoval(news);
    else await publishPost(news);
  };

  async function publishPost({ kind, post, listeners }: NewsOf<"posted" | "edited">) {
    const written = new Map<string, AppStreamEvent>();
    const gated = post.pictures.some((image) => image.gated);
    /** The token whose pass the images have, where they need one. */
    const holderOf = ({ stream }: Listener) => (gated ? stream.tokenId : null);
    const write = async (listener: Listener): Promise<AppStreamEvent | null> => {
      const { liked, saved, unnamed } = listener;
      // A mention hidden from this recipient looks like plain text: it links nowhere.
      const named: typeof relations.named = unnamed ? async () => [] : relations.named;
      const features = { ...deps.features, relations: { ...relations, named } };
      const holder = holderOf(listener);
      const [status] = await statusEntities({ ...deps, features }, null, [postItem(post)], holder);
      if (!status) return null;
      const own = { ...status, favourited: liked, bookmarked: saved };
      return streamEvent(kind === "posted" ? "update" : "status.update", JSON.stringify(own));
    };
    for (const listener of listeners) {
      const { stream, channels, liked, saved, unnamed } = listener;
      const key = `${liked} ${saved} ${unnamed} ${holderOf(listener)}`;
      const event = written.get(key) ?? (await write(listener));
      // Its author was deleted meanwhile.
      if (!event) return;
      written.set(key, event);
      live.apps.send(stream, channels, event);
    }
  }

  function publishRemoval({ postId, listeners }: NewsOf<"gone">): void {
    const event = streamEvent("delete", decimalOf(postId));
    for (const { stream, channels } of listeners) live.apps.send(stream, channels, event);
  }

  async function publishNotifications({ actIds, streams }: NewsOf<"notifications">): Promise<void> {
    const { viewer } = streams[0] ?? {};
    const [first, last] = [actIds.toSorted()[0], actIds.toSorted().at(-1)];
    if (!viewer || !first || !last) return;
    const acts = await notifications.acts(viewer, {
      above: idsAround(decimalOf(first)).lowest,
      below: idsAround(decimalOf(last)).highest,
      upward: true,
      limit: mostActs,
      kinds: supportedKinds,
    });
    const now = new Set(actIds);
    const fresh = acts.filter(({ id }) => now.has(id));
    // Passes of images belong to one token.
    for (const ofToken of Map.groupBy(streams, ({ tokenId }) => tokenId).values()) {
      const reader = ofToken[0]?.viewer ?? viewer;
      for (const entity of await notificationEntities(deps, reader, fresh)) {
        const event = streamEvent("notification", JSON.stringify(entity));
        for (const stream of ofToken) live.apps.send(stream, ["notifications"], event);
      }
    }
  }
}
