import { highestId, lowestId } from "#server/platform/db/cursors.ts";
import {
  decimalOf,
  idAmong,
  idsAround,
  idsRoundedTo,
  readDecimal,
} from "#server/platform/db/decimal-ids.ts";
import { timeOf } from "#server/platform/db/ids.ts";
import { isoTime } from "#server/mastodon/entities/content.ts";
import {
  actors,
  ungroupedKey,
  groupKey,
  notificationEntities,
  notificationTypes as types,
  withStatuses,
  supportedKinds as kinds,
  type ActWithStatus,
} from "#server/mastodon/entities/notifications.ts";
import type { MastodonRouter, MastodonDeps, MemberCall } from "#server/mastodon/router.ts";
import { endsIn, linkItems } from "#server/mastodon/pagination.ts";
import type { NotificationAct } from "#server/features/talk/index.ts";
import { found, refuse } from "#shared/errors.ts";
import type { NotificationKind } from "#shared/notification-kinds.ts";

/** docs.joinmastodon.org/methods/notifications */
export function notificationRoutes(router: MastodonRouter, { features }: MastodonDeps): void {
  const { notifications } = features;
  const path = "/api/v1/notifications";

  router.member("get", path, "read:notifications", async (call) =>
    notificationEntities(call.deps, call.viewer, await actsIn(call)),
  );
  router.member("get", `${path}/unread_count`, "read:notifications", (call) =>
    unreadCount(call, []),
  );
  router.member("get", `${path}/:id`, "read:notifications", async (call) => {
    const act = await actAt(call, call.part("id"));
    const [entity] = await notificationEntities(call.deps, call.viewer, [act]);
    return found(entity);
  });
  router.member("post", `${path}/:id/dismiss`, "write:notifications", async (call) => {
    const { id } = await actAt(call, call.part("id"));
    await notifications.dismiss(call.viewer, id);
    return {};
  });
  router.member("post", `${path}/clear`, "write:notifications", async ({ viewer }) => {
    await notifications.clear(viewer, kinds);
    return {};
  });
  groupRoutes(router, notifications);
}

/** docs.joinmastodon.org/methods/grouped_notifications */
function groupRoutes(
  router: MastodonRouter,
  notifications: MastodonDeps["features"]["notifications"],
): void {
  const path = "/api/v2/notifications";
  const group = `${path}/:group_key`;

  router.member("get", path, "read:notifications", async (call) =>
    grouped(call, await actsIn(call)),
  );
  router.member("get", `${path}/unread_count`, "read:notifications", (call) => {
    const wanted = call.input.list("grouped_types");
    const together = groupedKinds.filter((kind) => isTogether(wanted, kind));
    return unreadCount(call, together);
  });
  router.member("get", group, "read:notifications", async (call) =>
    grouped(call, await inGroup(call), call.part("group_key")),
  );
  router.member("get", `${group}/accounts`, "read:notifications", async (call) => {
    const accounts = await actors(call.deps, call.viewer, await inGroup(call));
    return [...accounts.values()];
  });
  router.member("post", `${group}/dismiss`, "write:notifications", async (call) => {
    const [first] = await inGroup(call);
    if (call.part("group_key").startsWith("ungrouped-")) {
      await notifications.dismiss(call.viewer, first?.id ?? "");
    } else {
      await notifications.dismissAll(call.viewer, first ? [first.notificationId] : []);
    }
    return {};
  });
}

/** The account that a call names, as the feature takes it: null for all accounts, undefined for none. */
async function actorIn({ deps: { features }, input }: MemberCall) {
  const wanted = input.text("account_id");
  return wanted ? ((await features.relations.find(wanted)) ?? undefined) : null;
}

/** The acts that a call asks for, with links to the others. */
async function actsIn(call: MemberCall): Promise<NotificationAct[]> {
  const acts = await readActs(call);
  const ids = acts.map(({ id }) => ({ id: decimalOf(id) }));
  linkItems(call, ids, acts.length > 0);
  return acts;
}

async function readActs(call: MemberCall): Promise<NotificationAct[]> {
  const { below, above, minimum } = endsIn(call);
  const actorId = await actorIn(call);
  if (actorId === undefined) return [];
  const limit = call.input.count("limit", 40, 80);
  const lower = minimum ?? above;
  const page = await call.deps.features.notifications.acts(call.viewer, {
    // Decimal ids have a millisecond's precision: acts within the millisecond of a bound are filtered below.
    below: below === null ? highestId : idsAround(below).highest,
    above: lower === null ? lowestId : idsAround(lower).lowest,
    upward: minimum !== null,
    limit: limit + 2,
    kinds: kindsIn(call),
    actorId,
  });
  const between = page.filter(
    ({ id }) =>
      (below === null || BigInt(decimalOf(id)) < BigInt(below)) &&
      (lower === null || BigInt(decimalOf(id)) > BigInt(lower)),
  );
  const shown = between.slice(0, limit);
  return minimum === null ? shown : shown.toReversed();
}

/** Notifications in `together` that belong to one group count as one. */
async function unreadCount(call: MemberCall, together: readonly NotificationKind[]) {
  const actorId = await actorIn(call);
  if (actorId === undefined) return { count: 0 };
  const limit = call.input.count("limit", 100, 1000);
  const range = { kinds: kindsIn(call), together, limit, actorId };
  return { count: await call.deps.features.notifications.unread(call.viewer, range) };
}

/** Refuses with not-found. */
async function actAt({ deps, viewer }: MemberCall, decimal: string): Promise<NotificationAct> {
  if (readDecimal(decimal) === null) throw refuse("not-found");
  const { lowest, highest } = idsRoundedTo(decimal);
  const range = { below: highest, above: lowest, upward: false, limit: 100, kinds };
  const acts = await deps.features.notifications.acts(viewer, range);
  const id = idAmong(
    acts.map((act) => act.id),
    decimal,
  );
  return found(acts.find((act) => act.id === id));
}

async function grouped(
  { deps, viewer, input, reply }: MemberCall,
  acts: readonly NotificationAct[],
  /** the single group that all of them belong to */
  only?: string,
) {
  const [list, accounts] = await Promise.all([
    withStatuses(deps, viewer, acts),
    actors(deps, viewer, acts),
  ]);
  const together = input.list("grouped_types");
  const groups = Map.groupBy(
    list.filter(({ act }) => accounts.has(act.by.id)),
    ({ act }) => only ?? (isTogether(together, act.kind) ? groupKey(act) : ungroupedKey(act)),
  );
  const statuses = new Map(list.flatMap(({ status }) => (status ? [[status.id, status]] : [])));
  return reply.type("application/json; charset=utf-8").send(
    withNumbers({
      accounts: [...accounts.values()],
      statuses: [...statuses.values()],
      notification_groups: [...groups].map(([key, all]) => groupEntity(key, all)),
    }),
  );
}

/**
 * The one id that is a number, with all its digits, which a number of JavaScript would round. In what people
 * wrote a quotation mark has a backslash before it, so nothing of theirs is changed.
 */
const withNumbers = (answer: object): string =>
  JSON.stringify(answer).replaceAll(
    /"most_recent_notification_id":"(\d{1,19})"/g,
    '"most_recent_notification_id":$1',
  );

/** The acts grouped under a key, newest first, the newest 1,000 of them. Refuses with not-found. */
async function inGroup(call: MemberCall): Promise<NotificationAct[]> {
  const key = call.part("group_key");
  const [, type = "", decimal = ""] = /^(ungrouped|favourite|follow)-(\d+)$/.exec(key) ?? [];
  if (type === "ungrouped") return [await actAt(call, decimal)];
  if (readDecimal(decimal) === null) throw refuse("not-found");
  const range = { gathered: idsAround(decimal), kinds: groupedKinds, limit: mostInGroup };
  const near = await call.deps.features.notifications.actsGathered(call.viewer, range);
  const acts = near.filter((act) => groupKey(act) === key);
  if (acts.length === 0) throw refuse("not-found");
  return acts;
}

function kindsIn({ input }: MemberCall): NotificationKind[] {
  const [only, without] = [input.list("types"), input.list("exclude_types")];
  return kinds.filter((kind) => {
    const type = types[kind] ?? "";
    return (only.length === 0 || only.includes(type)) && !without.includes(type);
  });
}

/** acts of one group that are read */
const mostInGroup = 1000;
const groupedKinds = ["like", "follow"] as const satisfies readonly NotificationKind[];

/** Whether acts of a kind are grouped; an app may name the types to group: naming none means all. */
function isTogether(grouped: readonly string[], kind: NotificationKind): boolean {
  return grouped.length === 0 || grouped.includes(types[kind] ?? "");
}

/** docs.joinmastodon.org/methods/grouped_notifications, "NotificationGroup"; newest first */
function groupEntity(key: string, all: readonly ActWithStatus[]) {
  const [newest, oldest] = [all[0], all.at(-1)];
  if (!newest || !oldest) throw new Error("a group of nothing");
  const { act, type, status } = newest;
  return {
    group_key: key,
    notifications_count: all.length,
    type,
    // A number in the answer (withNumbers).
    most_recent_notification_id: decimalOf(act.id),
    page_min_id: decimalOf(oldest.act.id),
    page_max_id: decimalOf(act.id),
    latest_page_notification_at: isoTime(timeOf(act.id)),
    sample_account_ids: [...new Set(all.map(({ act: { by } }) => decimalOf(by.id)))].slice(0, 8),
    ...(status ? { status_id: status.id } : {}),
  };
}
