import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { timeOf } from "#server/platform/db/ids.ts";
import { accountEntity } from "#server/mastodon/entities/accounts.ts";
import { isoTime, mentionEntity } from "#server/mastodon/entities/content.ts";
import { lookUpAccounts } from "#server/mastodon/entities/account-lookup.ts";
import { statusEntities, type Status } from "#server/mastodon/entities/statuses.ts";
import type { MastodonDeps } from "#server/mastodon/router.ts";
import { commentItem, postItem } from "#server/features/posts/index.ts";
import { alertOf, type NotificationAct } from "#server/features/talk/index.ts";
import type { NotificationKind } from "#shared/notification-kinds.ts";
import type { Viewer } from "#shared/views.ts";

export const notificationTypes: Partial<
  Record<NotificationKind, "follow" | "follow_request" | "favourite" | "mention">
> = alertOf;
export const supportedKinds = Object.keys(notificationTypes) as NotificationKind[];

/** Those without a status. */
const aboutAccount = (type: string) => type === "follow" || type === "follow_request";

export type ActWithStatus = { act: NotificationAct; type: string; status: Status | undefined };

type Deps = Pick<MastodonDeps, "features" | "publicUrl" | "imagesUrl">;

/** Acts, each with what it is about; left out if that can't be seen any more. */
export async function withStatuses(
  deps: Deps,
  viewer: Viewer,
  acts: readonly NotificationAct[],
): Promise<ActWithStatus[]> {
  const { references } = deps.features;
  const posts = new Map<string, { authorId: string; id: string }>();
  const comments = new Map<string, { authorId: string; postId: string; commentId: string }>();
  for (const { authorId, postId, commentId } of acts) {
    if (!authorId || !postId) continue;
    if (commentId) comments.set(commentId, { authorId, postId, commentId });
    else posts.set(postId, { authorId, id: postId });
  }
  const [ofPosts, ofComments] = await Promise.all([
    references.posts(viewer, [...posts.values()]),
    references.comments(viewer, [...comments.values()]),
  ]);
  const shown = [...ofPosts.map(postItem), ...ofComments.map(commentItem)];
  const statuses = await statusEntities(deps, viewer, shown);
  const byId = new Map(statuses.map((status) => [status.id, status]));
  return acts.flatMap((act) => {
    const type = notificationTypes[act.kind];
    const about = act.commentId ?? act.postId;
    const status = about ? byId.get(decimalOf(about)) : undefined;
    if (!type || (!aboutAccount(type) && !status)) return [];
    return [{ act, type, status: type === "mention" ? naming(deps, viewer, status) : status }];
  });
}

/**
 * A comment is a mention to all whom it was told, the post's author and who wrote the answered reply among
 * them: Tusky and Pachli take one that does not name its reader for a post.
 */
function naming({ publicUrl }: Deps, viewer: Viewer, status: Status | undefined) {
  const own = mentionEntity(publicUrl, viewer);
  if (!status || status.mentions.some(({ id }) => id === own.id)) return status;
  return { ...status, mentions: [...status.mentions, own] };
}

/** The accounts that did these, by id. */
export async function actors(deps: Deps, viewer: Viewer, acts: readonly NotificationAct[]) {
  const ids = [...new Set(acts.map(({ by }) => by.id))];
  const details = await deps.features.relations.details(viewer, ids);
  const { named } = await lookUpAccounts(deps.features, viewer, details);
  return new Map(details.map((one) => [one.account.id, accountEntity(deps, one, named)]));
}

/** docs.joinmastodon.org/entities/Notification */
export async function notificationEntities(
  deps: Deps,
  viewer: Viewer,
  acts: readonly NotificationAct[],
) {
  const [list, accounts] = await Promise.all([
    withStatuses(deps, viewer, acts),
    actors(deps, viewer, acts),
  ]);
  return list.flatMap(({ act, type, status }) => {
    const account = accounts.get(act.by.id);
    if (!account) return [];
    const entity = {
      id: decimalOf(act.id),
      type,
      created_at: isoTime(timeOf(act.id)),
      group_key: groupKey(act),
      account,
      ...(aboutAccount(type) ? {} : { status }),
    };
    return [entity];
  });
}

/** Likes of one post or comment are grouped, as in our own notifications; comments and mentions are not. */
export const groupKey = (act: NotificationAct): string =>
  act.kind === "like"
    ? `favourite-${decimalOf(act.notificationId)}`
    : act.kind === "follow"
      ? `follow-${decimalOf(act.notificationId)}`
      : ungroupedKey(act);

export const ungroupedKey = (act: NotificationAct): string => `ungrouped-${decimalOf(act.id)}`;
