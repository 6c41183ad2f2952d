import { highestId, lowestId } from "#server/db/cursors.ts";
import { decimalOf, idAmong, idsAround, readDecimal } from "#server/db/decimal-ids.ts";
import { timeOf } from "#server/db/ids.ts";
import { isoTime } from "#server/mastodon/entities/content.ts";
import {
  alonesKey,
  createNotificationEntities,
  groupKey,
  notificationTypes as types,
  toldKinds as kinds,
  type Told,
} from "#server/mastodon/entities/notifications.ts";
import type { Face, FaceDeps, MemberCall } from "#server/mastodon/face.ts";
import { endsIn, linkItems } from "#server/mastodon/lists.ts";
import type { ToldAct } from "#server/features/talk/index.ts";
import { refuse } from "#shared/errors.ts";
import type { NotificationKind } from "#shared/notification-kinds.ts";
import type { Viewer } from "#shared/views.ts";

/** docs.joinmastodon.org/methods/notifications, /grouped_notifications */
export function notificationRoutes(face: Face, deps: FaceDeps): void {
  const { features, publicUrl } = deps;
  const { notifications, relations } = features;
  const { told, accountsOf, entities } = createNotificationEntities(deps);

  async function read(call: MemberCall, most: number, usual: number): Promise<ToldAct[]> {
    const { below, above, minimum } = endsIn(call);
    const wanted = call.input.text("account_id");
    const actorId = wanted ? await relations.find(wanted) : null;
    if (wanted && !actorId) return [];
    const limit = call.input.count("limit", usual, most);
    const lower = minimum ?? above;
    const page = await notifications.acts(call.viewer, {
      // Decimal ids keep a millisecond: what lies in that of an end is told apart below.
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

  face.member("get", "/api/v1/notifications", "read:notifications", async (call) => {
    const acts = await read(call, 80, 40);
    const list = await entities(call.viewer, acts);
    const ids = acts.map(({ id }) => ({ id: decimalOf(id) }));
    linkItems(call, publicUrl, ids, acts.length > 0);
    return list;
  });

  /** What of `together` stands in one group counts as one. */
  async function unreadCount(call: MemberCall, together: readonly NotificationKind[]) {
    const wanted = call.input.text("account_id");
    const actorId = wanted ? await relations.find(wanted) : null;
    if (wanted && !actorId) return { count: 0 };
    const limit = call.input.count("limit", 100, 1000);
    const range = { kinds: kindsIn(call), together, limit, actorId };
    return { count: await notifications.unread(call.viewer, range) };
  }

  face.member("get", "/api/v1/notifications/unread_count", "read:notifications", (call) =>
    unreadCount(call, []),
  );
  face.member("get", "/api/v2/notifications/unread_count", "read:notifications", (call) => {
    const types = call.input.list("grouped_types");
    const grouped = groupedKinds.filter((kind) => isTogether(types, kind));
    return unreadCount(call, grouped);
  });

  async function find(viewer: Viewer, decimal: string): Promise<ToldAct> {
    if (readDecimal(decimal) === null) throw refuse("not-found");
    const { lowest, highest } = idsAround(decimal);
    const range = { below: highest, above: lowest, upward: false, limit: 100, kinds };
    const acts = await notifications.acts(viewer, range);
    const id = idAmong(
      acts.map((act) => act.id),
      decimal,
    );
    const found = acts.find((act) => act.id === id);
    if (!found) throw refuse("not-found");
    return found;
  }

  face.member("get", "/api/v1/notifications/:id", "read:notifications", async (call) => {
    const [entity] = await entities(call.viewer, [await find(call.viewer, call.part("id"))]);
    if (!entity) throw refuse("not-found");
    return entity;
  });
  face.member("post", "/api/v1/notifications/:id/dismiss", "write:notifications", async (call) => {
    const act = await find(call.viewer, call.part("id"));
    await notifications.dismiss(call.viewer, act.id);
    return {};
  });
  face.member("post", "/api/v1/notifications/clear", "write:notifications", async (call) => {
    await notifications.clear(call.viewer, kinds);
    return {};
  });

  face.member("get", "/api/v2/notifications", "read:notifications", async (call) => {
    const acts = await read(call, 80, 40);
    const ids = acts.map(({ id }) => ({ id: decimalOf(id) }));
    linkItems(call, publicUrl, ids, acts.length > 0);
    return grouped(call, acts);
  });

  async function grouped(
    { viewer, input }: MemberCall,
    acts: readonly ToldAct[],
    /** the group that all of them are */
    only?: string,
  ) {
    const [list, accounts] = await Promise.all([told(viewer, acts), accountsOf(viewer, acts)]);
    const together = input.list("grouped_types");
    const groups = new Map<string, Told[]>();
    for (const one of list) {
      if (!accounts.has(one.act.by.id)) continue;
      const own = isTogether(together, one.act.kind) ? groupKey(one.act) : alonesKey(one.act);
      const key = only ?? own;
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    const statuses = new Map(list.flatMap(({ status }) => (status ? [[status.id, status]] : [])));
    return {
      accounts: [...accounts.values()],
      statuses: [...statuses.values()],
      notification_groups: [...groups].map(([key, all]) => groupEntity(key, all)),
    };
  }

  /** What stands together under a key, newest first, the newest 1,000 of it. Refuses with not-found. */
  async function inGroup({ viewer, part }: MemberCall): Promise<ToldAct[]> {
    const key = part("group_key");
    const [, type = "", decimal = ""] = /^(ungrouped|favourite|follow)-(\d+)$/.exec(key) ?? [];
    if (type === "ungrouped") return [await find(viewer, decimal)];
    if (readDecimal(decimal) === null) throw refuse("not-found");
    const range = { gathered: idsAround(decimal), kinds: groupedKinds, limit: mostInGroup };
    const near = await notifications.actsGathered(viewer, range);
    const acts = near.filter((act) => groupKey(act) === key);
    if (acts.length === 0) throw refuse("not-found");
    return acts;
  }

  const group = "/api/v2/notifications/:group_key";
  face.member("get", group, "read:notifications", async (call) => {
    return grouped(call, await inGroup(call), call.part("group_key"));
  });
  face.member("get", `${group}/accounts`, "read:notifications", async (call) => {
    const accounts = await accountsOf(call.viewer, await inGroup(call));
    return [...accounts.values()];
  });
  face.member("post", `${group}/dismiss`, "write:notifications", async (call) => {
    const acts = await inGroup(call);
    const [first] = acts;
    if (call.part("group_key").startsWith("ungrouped-")) {
      await notifications.dismiss(call.viewer, first?.id ?? "");
    } else {
      await notifications.dismissAll(call.viewer, first ? [first.notificationId] : []);
    }
    return {};
  });
}

function kindsIn({ input }: MemberCall): NotificationKind[] {
  const [only, without] = [input.list("types"), input.list("exclude_types")];
  return kinds.filter((kind) => {
    const type = types[kind] ?? "";
    return (only.length === 0 || only.includes(type)) && !without.includes(type);
  });
}

/** acts of one group that are looked at */
const mostInGroup = 1000;
const groupedKinds = ["like", "follow"] as const satisfies readonly NotificationKind[];

/** Whether those of a kind stand together, where an app names the types that shall: none is all. */
function isTogether(grouped: readonly string[], kind: NotificationKind): boolean {
  return grouped.length === 0 || grouped.includes(types[kind] ?? "");
}

/** docs.joinmastodon.org/methods/grouped_notifications, "NotificationGroup"; newest first */
function groupEntity(key: string, all: readonly Told[]) {
  const [newest, oldest] = [all[0], all.at(-1)];
  if (!newest || !oldest) throw new Error("a group of nothing");
  const { act, type, status } = newest;
  return {
    group_key: key,
    notifications_count: all.length,
    type,
    // The one id that is a number: digits beyond 2^53 are rounded, within its millisecond.
    most_recent_notification_id: Number(decimalOf(act.id)),
    page_min_id: decimalOf(oldest.act.id),
    page_max_id: decimalOf(act.id),
    latest_page_notification_at: isoTime(timeOf(act.id)),
    sample_account_ids: [...new Set(all.map(({ act: { by } }) => decimalOf(by.id)))].slice(0, 8),
    ...(status ? { status_id: status.id } : {}),
  };
}
