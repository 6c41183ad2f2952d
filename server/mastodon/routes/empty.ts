import { isoTime } from "#server/mastodon/entities/content.ts";
import type { MastodonRouter, MastodonDeps, MemberCall } from "#server/mastodon/router.ts";
import { visibilityOf } from "#server/mastodon/visibility.ts";
import type { AppScope } from "#shared/app-scopes.ts";
import { refuse } from "#shared/errors.ts";
import { writtenIn } from "#shared/languages.ts";
import type { Viewer } from "#shared/views.ts";

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
  "instance/domain_blocks",
  "accounts/:id/featured_tags",
  "accounts/:id/endorsements",
  "accounts/:id/identity_proofs",
];
const forMembers: readonly [path: string, scope: AppScope][] = [
  ["v1/announcements", "read"],
  ["v1/lists", "read:lists"],
  ["v1/accounts/:id/lists", "read:lists"],
  ["v1/followed_tags", "read:follows"],
  ["v1/featured_tags", "read:accounts"],
  ["v1/featured_tags/suggestions", "read:accounts"],
  ["v1/conversations", "read:statuses"],
  ["v1/timelines/direct", "read:statuses"],
  ["v1/scheduled_statuses", "read:statuses"],
  ["v1/notifications/requests", "read:notifications"],
  ["v1/domain_blocks", "read:blocks"],
  ["v1/endorsements", "read:accounts"],
];

/**
 * docs.joinmastodon.org/methods/notifications#get-policy: how it is changed, and the values that let
 * everything through.
 */
const policies = [
  [
    "v1",
    false,
    [
      "filter_not_following",
      "filter_not_followers",
      "filter_new_accounts",
      "filter_private_mentions",
    ],
  ],
  [
    "v2",
    "accept",
    [
      "for_not_following",
      "for_not_followers",
      "for_new_accounts",
      "for_private_mentions",
      "for_limited_accounts",
    ],
  ],
] as const;

/** Calls whose answer is the same for all, or nearly. */
export function emptyRoutes(router: MastodonRouter, deps: MastodonDeps): void {
  for (const path of forAnybody) router.get(`/api/v1/${path}`, { who: "anybody" }, () => []);
  for (const [path, scope] of forMembers) router.member("get", `/api/${path}`, scope, () => []);
  router.get("/api/v1/instance/translation_languages", { who: "anybody" }, () => ({}));
  for (const name of ["collections", "in_collections"])
    router.get(`/api/v1/accounts/:id/${name}`, { who: "anybody" }, () => ({ collections: [] }));
  const reports = "/api/v1/annual_reports";
  const noReports = { annual_reports: [], accounts: [], statuses: [] };
  router.member("get", reports, "read:accounts", () => noReports);
  router.member("get", `${reports}/:year/state`, "read:accounts", () => ({ state: "ineligible" }));

  router.member("get", "/api/v1/preferences", "read:accounts", async ({ viewer }) => {
    const settings = await deps.features.settings.get(viewer);
    return {
      "posting:default:visibility": visibilityOf(await deps.features.posts.nextAudience(viewer)),
      "posting:default:sensitive": false,
      "posting:default:language": writtenIn(settings),
      "reading:expand:media": settings.showVeiled ? "show_all" : "default",
      "reading:expand:spoilers": settings.showVeiled,
    };
  });

  policyRoutes(router);
  // Nothing is held back, so there is nothing to be let through.
  const requests = "/api/v1/notifications/requests";
  router.member("get", `${requests}/merged`, "read:notifications", () => ({ merged: true }));
  for (const what of ["accept", "dismiss"])
    router.member("post", `${requests}/${what}`, "write:notifications", () => ({}));
  markerRoutes(router, deps);
}

function policyRoutes(router: MastodonRouter): void {
  for (const [version, open, rules] of policies) {
    const url = `/api/${version}/notifications/policy`;
    const policy = {
      ...Object.fromEntries(rules.map((rule) => [rule, open])),
      summary: { pending_requests_count: 0, pending_notifications_count: 0 },
    };
    router.member("get", url, "read:notifications", () => policy);
    const change = ({ input }: MemberCall) => {
      const asked = (rule: string) =>
        typeof open === "boolean" ? input.flag(rule) : input.text(rule);
      if (rules.some((rule) => input.has(rule) && asked(rule) !== open)) {
        const message = "Notifications aren't held back here; mute or block whom they come from.";
        throw refuse("not-offered", { message });
      }
      return policy;
    };
    // One method is documented for each version, and Mastodon accepts both.
    for (const method of ["put", "patch"] as const)
      router.member(method, url, "write:notifications", change);
  }
}

/** docs.joinmastodon.org/methods/markers */
function markerRoutes(router: MastodonRouter, { features: { relations } }: MastodonDeps): void {
  const markers = async (viewer: Viewer, wanted: readonly string[]) =>
    Object.fromEntries(
      (await relations.markers(viewer)).flatMap(
        ({ timeline, last_read_id, version, updated_at }) =>
          wanted.includes(timeline)
            ? [[timeline, { last_read_id, version, updated_at: isoTime(updated_at.getTime()) }]]
            : [],
      ),
    );

  router.member("get", "/api/v1/markers", "read:statuses", ({ viewer, input }) =>
    markers(viewer, input.list("timeline")),
  );
  router.member("post", "/api/v1/markers", "write:statuses", async ({ viewer, input }) => {
    const changed = (["home", "notifications"] as const).flatMap((timeline) => {
      const id = new Map(input.under(timeline)).get("last_read_id");
      return id === undefined ? [] : [{ timeline, id }];
    });
    if (changed.length === 0) throw refuse("input-invalid");
    for (const { timeline, id } of changed) await relations.mark(viewer, timeline, id);
    const names = changed.map(({ timeline }) => timeline);
    return markers(viewer, names);
  });
}
