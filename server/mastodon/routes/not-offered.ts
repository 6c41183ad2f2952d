import type { MastodonRouter, MemberCall } from "#server/mastodon/router.ts";
import { accountIn } from "#server/mastodon/routes/accounts.ts";
import { relationTo } from "#server/mastodon/routes/relationships.ts";
import { tagAt } from "#server/mastodon/routes/search.ts";
import { entity as statusEntity, shownIn } from "#server/mastodon/routes/statuses.ts";
import type { AppScope } from "#shared/app-scopes.ts";
import { refuse } from "#shared/errors.ts";

type Method = "post" | "put" | "patch";

const tags = "Tags can't be followed here; each has a page of its own.";
const lists = "This server has no lists.";
const featured = "Profiles here feature no people and no tags.";
const boosts = "This server has no boosts.";
const pins = "This server has no pinned posts.";
const conversations = "Conversations can't be muted here; people and words can.";
const otherServers = "This server knows no other servers.";
const quotes = "This server has no quotes.";

/**
 * Calls that would create what does not exist here. Each is refused with its sentence, so that nobody takes
 * for done what was not; calls that read a single one of these are answered with not found.
 */
export const notOffered: readonly [method: Method, path: string, scope: AppScope, why: string][] = [
  ["post", "v1/statuses/:id/reblog", "write:statuses", boosts],
  ["post", "v1/statuses/:id/pin", "write:accounts", pins],
  ["post", "v1/statuses/:id/mute", "write:mutes", conversations],
  ["post", "v1/statuses/:id/translate", "write:statuses", "This server translates nothing."],
  ["put", "v1/statuses/:id/interaction_policy", "write:statuses", quotes],
  ["post", "v1/accounts/:id/pin", "write:accounts", featured],
  ["post", "v1/accounts/:id/endorse", "write:accounts", featured],
  ["post", "v1/featured_tags", "write:accounts", featured],
  ["post", "v1/tags/:name/feature", "write:accounts", featured],
  ["post", "v1/tags/:name/follow", "write:follows", tags],
  ["post", "v1/collections", "write:accounts", "This server has no collections."],
  [
    "post",
    "v1/annual_reports/:year/generate",
    "write:accounts",
    "This server makes no annual reports.",
  ],
  ["post", "v1/lists", "write:lists", lists],
  ["post", "v1/domain_blocks", "write:blocks", otherServers],
];

/** What withdraws one of these, which never was: nothing has to be done, and it answers as if it were. */
const withdrawn: readonly [of: "statuses" | "accounts" | "tags", call: string, scope: AppScope][] =
  [
    ["statuses", "unreblog", "write:statuses"],
    ["statuses", "unpin", "write:accounts"],
    ["statuses", "unmute", "write:mutes"],
    ["accounts", "unpin", "write:accounts"],
    ["accounts", "unendorse", "write:accounts"],
    ["tags", "unfeature", "write:accounts"],
    ["tags", "unfollow", "write:follows"],
  ];

export function notOfferedRoutes(router: MastodonRouter): void {
  for (const [method, path, scope, message] of notOffered) {
    router.member(method, `/api/${path}`, scope, () => {
      throw refuse("not-offered", { message });
    });
  }
  const answers = {
    statuses: async (call: MemberCall) => statusEntity(call, await shownIn(call)),
    accounts: async (call: MemberCall) => relationTo(call, await accountIn(call)),
    tags: tagAt,
  };
  for (const [of, call, scope] of withdrawn) {
    const part = of === "tags" ? ":name" : ":id";
    router.member("post", `/api/v1/${of}/${part}/${call}`, scope, answers[of]);
  }
  router.member("delete", "/api/v1/domain_blocks", "write:blocks", () => ({}));
}
