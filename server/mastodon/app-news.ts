import { decimalOf, idsAround } from "#server/db/decimal-ids.ts";
import type { AppNews, AppStream, Hearer, Told } from "#server/features/talk/index.ts";
import { notificationEntities, toldKinds } from "#server/mastodon/entities/notifications.ts";
import { statusEntities } from "#server/mastodon/entities/statuses.ts";
import { shownPost } from "#server/features/posts/index.ts";
import type { FaceDeps } from "#server/mastodon/face.ts";

/** Acts of one account that are told at once; an app that reads its list finds the rest. */
const mostActs = 100;

type Deps = Pick<FaceDeps, "features" | "publicUrl" | "picturesUrl">;
type NewsOf<Kind extends AppNews["kind"]> = Extract<AppNews, { kind: Kind }>;

const toldAs = (event: string, payload: string): Told => ({
  event,
  payload,
  quoted: JSON.stringify(payload),
});

/**
 * Tells apps what happened, as docs.joinmastodon.org/methods/streaming, "Events", has it: a post is written
 * once, and differs for those who hear of it only in what they made of it.
 */
export function createAppNews(deps: Deps) {
  const { relations, notifications, live } = deps.features;

  return async (news: AppNews): Promise<void> => {
    if (news.kind === "notifications") await tellActs(news);
    else if (news.kind === "gone") tellGone(news);
    else await tellPost(news);
  };

  async function tellPost({ kind, post, hearers }: NewsOf<"posted" | "edited">): Promise<void> {
    const written = new Map<string, Told>();
    const write = async ({ liked, saved, unnamed }: Hearer): Promise<Told | null> => {
      // Who named them is not told apart from what stands there: nobody is led anywhere.
      const named: typeof relations.named = unnamed ? async () => [] : relations.named;
      const place = { ...deps, features: { relations: { ...relations, named } } };
      const [status] = await statusEntities(place, null, [shownPost(post)]);
      if (!status) return null;
      const own = { ...status, favourited: liked, bookmarked: saved };
      return toldAs(kind === "posted" ? "update" : "status.update", JSON.stringify(own));
    };
    for (const hearer of hearers) {
      const { stream, channels, liked, saved, unnamed } = hearer;
      const key = `${liked} ${saved} ${unnamed}`;
      const told = written.get(key) ?? (await write(hearer));
      // Its author went away meanwhile.
      if (!told) return;
      written.set(key, told);
      live.apps.tell(stream, channels, told);
    }
  }

  function tellGone({ postId, hearers }: NewsOf<"gone">): void {
    const told = toldAs("delete", decimalOf(postId));
    for (const { stream, channels } of hearers) live.apps.tell(stream, channels, told);
  }

  async function tellActs({ actIds, streams }: NewsOf<"notifications">): Promise<void> {
    const { viewer } = streams[0] ?? {};
    const [first, last] = [actIds.toSorted()[0], actIds.toSorted().at(-1)];
    if (!viewer || !first || !last) return;
    const acts = await notifications.acts(viewer, {
      above: idsAround(decimalOf(first)).lowest,
      below: idsAround(decimalOf(last)).highest,
      upward: true,
      limit: mostActs,
      kinds: toldKinds,
    });
    const now = new Set(actIds);
    const fresh = acts.filter(({ id }) => now.has(id));
    for (const entity of await notificationEntities(deps, viewer, fresh)) {
      const told = toldAs("notification", JSON.stringify(entity));
      for (const stream of streams as AppStream[]) {
        live.apps.tell(stream, ["notifications"], told);
      }
    }
  }
}
