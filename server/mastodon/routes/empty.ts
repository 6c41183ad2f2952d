import { isoTime } from "#server/mastodon/entities/content.ts";
import type { Face, FaceDeps } from "#server/mastodon/face.ts";
import type { AppScope } from "#shared/app-scopes.ts";
import { refuse } from "#shared/errors.ts";

/** Lists of things that do not exist here: they are empty, which is true. */
const forAnybody = [
  "custom_emojis",
  "trends",
  "trends/statuses",
  "trends/tags",
  "trends/links",
  "directory",
  "instance/peers",
  "instance/activity",
  "instance/rules",
  "instance/domain_blocks",
  "accounts/:id/featured_tags",
  "accounts/:id/endorsements",
];
const forMembers: readonly [path: string, scope: AppScope][] = [
  ["v1/announcements", "read"],
  ["v1/filters", "read:filters"],
  ["v2/filters", "read:filters"],
  ["v1/lists", "read:lists"],
  ["v1/accounts/:id/lists", "read:lists"],
  ["v1/followed_tags", "read:follows"],
  ["v1/featured_tags", "read:accounts"],
  ["v1/featured_tags/suggestions", "read:accounts"],
  ["v1/follow_requests", "read:follows"],
  ["v1/conversations", "read:statuses"],
  ["v1/scheduled_statuses", "read:statuses"],
  ["v1/notifications/requests", "read:notifications"],
  ["v1/domain_blocks", "read:blocks"],
  ["v1/endorsements", "read:accounts"],
];

/** Calls whose answer is known beforehand, and how far somebody read (docs.joinmastodon.org/methods/markers). */
export function emptyRoutes(face: Face, { features: { relations } }: FaceDeps): void {
  for (const path of forAnybody) face.get(`/api/v1/${path}`, { who: "anybody" }, () => []);
  for (const [path, scope] of forMembers) face.member("get", `/api/${path}`, scope, () => []);
  face.get("/api/v1/instance/translation_languages", { who: "anybody" }, () => ({}));

  face.member("get", "/api/v1/preferences", "read:accounts", () => ({
    "posting:default:visibility": "public",
    "posting:default:sensitive": false,
    "posting:default:language": null,
    "reading:expand:media": "default",
    "reading:expand:spoilers": false,
  }));

  for (const version of ["v1", "v2"]) {
    const accept = version === "v1" ? false : "accept";
    face.member("get", `/api/${version}/notifications/policy`, "read:notifications", () => ({
      ...(version === "v1"
        ? {
            filter_not_following: accept,
            filter_not_followers: accept,
            filter_new_accounts: accept,
            filter_private_mentions: accept,
          }
        : {
            for_not_following: accept,
            for_not_followers: accept,
            for_new_accounts: accept,
            for_private_mentions: accept,
            for_limited_accounts: accept,
          }),
      summary: { pending_requests_count: 0, pending_notifications_count: 0 },
    }));
  }

  const markers = async (viewer: Parameters<typeof relations.markers>[0]) =>
    Object.fromEntries(
      (await relations.markers(viewer)).map(({ timeline, last_read_id, version, updated_at }) => [
        timeline,
        { last_read_id, version, updated_at: isoTime(updated_at.getTime()) },
      ]),
    );

  face.member("get", "/api/v1/markers", "read:statuses", async ({ viewer, input }) => {
    const wanted = input.list("timeline");
    const all = Object.entries(await markers(viewer));
    return Object.fromEntries(all.filter(([timeline]) => wanted.includes(timeline)));
  });
  face.member("post", "/api/v1/markers", "write:statuses", async ({ viewer, input }) => {
    const changed = (["home", "notifications"] as const).flatMap((timeline) => {
      const id = new Map(input.under(timeline)).get("last_read_id");
      return id === undefined ? [] : [{ timeline, id }];
    });
    if (changed.length === 0) throw refuse("input-invalid");
    for (const { timeline, id } of changed) await relations.mark(viewer, timeline, id);
    const all = Object.entries(await markers(viewer));
    return Object.fromEntries(
      all.filter(([timeline]) => changed.some((one) => one.timeline === timeline)),
    );
  });
}
