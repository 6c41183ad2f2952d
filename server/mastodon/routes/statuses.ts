import { isoTime, toHtml } from "#server/mastodon/entities/content.ts";
import { mediaIdOf } from "#server/mastodon/entities/media.ts";
import { accountEntities } from "#server/mastodon/entities/account-lookup.ts";
import { statusEntities } from "#server/mastodon/entities/statuses.ts";
import type { Call, MastodonRouter } from "#server/mastodon/router.ts";
import { accountPageSize, itemsInRange } from "#server/mastodon/pagination.ts";
import { postOf, type PostOrComment } from "#server/features/posts/index.ts";
import { found } from "#shared/errors.ts";

const url = "/api/v1/statuses/:id";
const readable = { who: "anybody", scope: "read:statuses" } as const;

/** Reading statuses: docs.joinmastodon.org/methods/statuses */
export function statusRoutes(router: MastodonRouter): void {
  router.get("/api/v1/statuses", readable, async ({ deps, viewer, input }) => {
    const ids = input.list("id").slice(0, 40);
    return statusEntities(deps, viewer, await deps.features.references.find(viewer, ids));
  });
  router.get(url, readable, async (call) => entity(call, await shownIn(call)));
  router.get(`${url}/context`, readable, context);
  router.get(`${url}/history`, readable, history);
  router.get(`${url}/favourited_by`, readable, favouritedBy);
  router.member("get", `${url}/source`, "read:statuses", async (call) => {
    const one = await shownIn(call);
    const warning = one.kind === "post" ? one.post.warning : null;
    return { id: call.part("id"), text: textOf(one), spoiler_text: warning ?? "" };
  });
  // There are no boosts, quotes and link previews.
  for (const [name, nothing] of Object.entries({ reblogged_by: [], quotes: [], card: {} })) {
    router.get(`${url}/${name}`, readable, async (call) => {
      await shownIn(call);
      return nothing;
    });
  }
}

/** The post or comment that an address names, if its caller may see it. Refuses with not-found. */
export const shownIn = (call: Call) => shownAt(call, call.part("id"));

export async function shownAt({ deps, viewer }: Call, id: string): Promise<PostOrComment> {
  return found((await deps.features.references.find(viewer, [id]))[0]);
}

/** Refuses with not-found if its writer was deleted meanwhile. */
export async function entity({ deps, viewer }: Call, one: PostOrComment) {
  return found((await statusEntities(deps, viewer, [one]))[0]);
}

export const textOf = (one: PostOrComment): string =>
  one.kind === "post" ? one.post.caption : one.placed.comment.body;

async function context(call: Call) {
  const { deps, viewer } = call;
  const { above, below } = await deps.features.references.around(viewer, await shownIn(call));
  const [ancestors, descendants] = await Promise.all([
    statusEntities(deps, viewer, above),
    statusEntities(deps, viewer, below),
  ]);
  return { ancestors, descendants };
}

/**
 * What it says now and since when, and for its author what it said before, which is shown to nobody else
 * here, with the photos of then that it still has.
 */
async function history(call: Call) {
  const { deps, viewer } = call;
  const one = await shownIn(call);
  const status = await entity(call, one);
  const { account, emojis, media_attachments, created_at, edited_at } = status;
  const { content, spoiler_text, sensitive } = status;
  const shared = { account, emojis, sensitive, poll: null };
  const words = { content, spoiler_text };
  const now = { ...shared, ...words, media_attachments, created_at: edited_at ?? created_at };
  if (one.kind === "comment" || !one.post.mine || !viewer) return [now];
  const { author, number } = one.post;
  const newestFirst = await deps.features.posts.earlierVersions(viewer, author.username, number);
  const earlier = newestFirst.toReversed();
  // Each version was written when the one before it was replaced.
  const writtenAt = [created_at, ...earlier.map(({ replacedAt }) => isoTime(replacedAt))];
  const shown = new Map(media_attachments.map((image) => [image.id, image]));
  const before = earlier.map(({ caption, warning, keys }, index) => ({
    ...shared,
    spoiler_text: warning ?? "",
    sensitive: sensitive || warning !== null,
    content: toHtml(caption, { publicUrl: deps.publicUrl, named: new Map() }),
    media_attachments: keys
      ? keys.flatMap((key) => shown.get(mediaIdOf({ key })) ?? [])
      : media_attachments,
    created_at: writtenAt[index],
  }));
  return [...before, now];
}

async function favouritedBy(call: Call) {
  const { deps, viewer } = call;
  const one = await shownIn(call);
  // Who likes a comment is shown nowhere.
  if (one.kind === "comment") return [];
  const likers = await itemsInRange(call, accountPageSize, (range) =>
    deps.features.likes.between(viewer, postOf(one), range),
  );
  const ids = likers.map(({ id }) => id);
  return accountEntities(deps, viewer, ids);
}
