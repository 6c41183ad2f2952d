import { isoTime, toHtml } from "#server/mastodon/entities/content.ts";
import { accountEntities } from "#server/mastodon/entities/people.ts";
import { statusEntities } from "#server/mastodon/entities/statuses.ts";
import type { Call, Face, FaceDeps } from "#server/mastodon/face.ts";
import { accountsAPage, itemsInRange } from "#server/mastodon/lists.ts";
import { postOf, type Shown } from "#server/features/posts/index.ts";
import { found } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

const url = "/api/v1/statuses/:id";
const readable = { who: "anybody", scope: "read:statuses" } as const;

/** What is read of statuses: docs.joinmastodon.org/methods/statuses */
export function statusRoutes(face: Face, deps: FaceDeps): void {
  const { references } = deps.features;
  face.get("/api/v1/statuses", readable, async ({ viewer, input }) =>
    statusEntities(deps, viewer, await references.find(viewer, input.list("id").slice(0, 40))),
  );
  face.get(url, readable, async (call) => entity(deps, call.viewer, await shownIn(deps, call)));
  face.get(`${url}/context`, readable, (call) => context(deps, call));
  face.get(`${url}/history`, readable, (call) => history(deps, call));
  face.get(`${url}/favourited_by`, readable, (call) => favouritedBy(deps, call));
  face.member("get", `${url}/source`, "read:statuses", async (call) => {
    const text = textOf(await shownIn(deps, call));
    return { id: call.part("id"), text, spoiler_text: "" };
  });
  // There are no boosts, quotes and previews of addresses.
  for (const [name, nothing] of Object.entries({ reblogged_by: [], quotes: [], card: {} })) {
    face.get(`${url}/${name}`, readable, async (call) => {
      await shownIn(deps, call);
      return nothing;
    });
  }
}

/** The post or comment that an address names, if its caller may see it. Refuses with not-found. */
export const shownIn = (deps: FaceDeps, { viewer, part }: Pick<Call, "viewer" | "part">) =>
  shownAt(deps, viewer, part("id"));

export async function shownAt(
  { features }: Pick<FaceDeps, "features">,
  viewer: Viewer | null,
  id: string,
): Promise<Shown> {
  return found((await features.references.find(viewer, [id]))[0]);
}

/** Refuses with not-found where its writer went away meanwhile. */
export async function entity(deps: FaceDeps, viewer: Viewer | null, one: Shown) {
  return found((await statusEntities(deps, viewer, [one]))[0]);
}

export const textOf = (one: Shown): string =>
  one.kind === "post" ? one.post.caption : one.placed.comment.body;

async function context(deps: FaceDeps, call: Call) {
  const { viewer } = call;
  const { above, below } = await deps.features.references.around(viewer, await shownIn(deps, call));
  const [ancestors, descendants] = await Promise.all([
    statusEntities(deps, viewer, above),
    statusEntities(deps, viewer, below),
  ]);
  return { ancestors, descendants };
}

/** What it says now, and to its author what it said before: nobody else is told that here. */
async function history(deps: FaceDeps, call: Call) {
  const { viewer } = call;
  const one = await shownIn(deps, call);
  const { account, content, media_attachments, emojis, created_at, edited_at } = await entity(
    deps,
    viewer,
    one,
  );
  const shared = { account, emojis, spoiler_text: "", sensitive: false, poll: null };
  const now = { ...shared, content, media_attachments, created_at: edited_at ?? created_at };
  if (one.kind === "comment" || !one.post.mine || !viewer) return [now];
  const { author, number } = one.post;
  const newestFirst = await deps.features.posts.earlierVersions(viewer, author.username, number);
  const earlier = newestFirst.toReversed();
  // Each was written when the one before it was replaced.
  const writtenAt = [created_at, ...earlier.map(({ replacedAt }) => isoTime(replacedAt))];
  const before = earlier.map(({ caption }, index) => ({
    ...shared,
    content: toHtml(caption, { publicUrl: deps.publicUrl, named: new Map() }),
    media_attachments: [],
    created_at: writtenAt[index],
  }));
  return [...before, now];
}

async function favouritedBy(deps: FaceDeps, call: Call) {
  const { viewer } = call;
  const one = await shownIn(deps, call);
  // Who likes a comment is nowhere shown.
  if (one.kind === "comment") return [];
  const likers = await itemsInRange(call, deps, accountsAPage, (range) =>
    deps.features.likes.between(viewer, postOf(one), range),
  );
  const ids = likers.map(({ id }) => id);
  return accountEntities(deps, viewer, ids);
}
