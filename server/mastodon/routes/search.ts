import { decimalOf, decimalOfWords } from "#server/platform/db/decimal-ids.ts";
import { isId } from "#server/platform/db/ids.ts";
import { localName } from "#server/mastodon/addresses.ts";
import { tagUrl } from "#server/mastodon/entities/content.ts";
import { accountEntities } from "#server/mastodon/entities/account-lookup.ts";
import { statusEntities } from "#server/mastodon/entities/statuses.ts";
import { postItem } from "#server/features/posts/index.ts";
import type { Call, MastodonRouter, MastodonDeps, MemberCall } from "#server/mastodon/router.ts";
import { accountIn, accountsMatching } from "#server/mastodon/routes/accounts.ts";
import { found, refuse } from "#shared/errors.ts";
import { isUsername } from "#shared/usernames.ts";
import { tagsOf } from "#shared/tags.ts";
import type { ReportReason } from "#shared/report-kinds.ts";
import { reportLimits } from "#shared/report-limits.ts";

/** docs.joinmastodon.org/methods/search, /suggestions, /reports */
export function searchRoutes(router: MastodonRouter, { features }: MastodonDeps): void {
  const { suggestions } = features;
  router.get("/api/v2/search", { who: "anybody", scope: "read:search" }, search);
  router.get("/api/v1/tags/:name", { who: "anybody" }, tagAt);

  const suggested = async ({ deps, viewer }: MemberCall) => {
    const ids = (await suggestions.list(viewer)).map(({ id }) => id);
    return accountEntities(deps, viewer, ids);
  };
  router.member("get", "/api/v1/suggestions", "read", suggested);
  router.member("get", "/api/v2/suggestions", "read", async (call) =>
    (await suggested(call)).map((account) => ({
      source: "past_interactions",
      sources: ["friends_of_friends"],
      account,
    })),
  );
  router.member("delete", "/api/v1/suggestions/:id", "write:accounts", async (call) => {
    await suggestions.dismiss(call.viewer, await accountIn(call));
    return {};
  });

  router.member("post", "/api/v1/reports", "write:reports", report);
}

async function search(call: Call) {
  const { deps, input, viewer } = call;
  if (!viewer && (input.flag("resolve") || input.has("offset"))) throw refuse("sign-in-required");
  const query = (input.text("q") ?? "").trim();
  if (query === "") throw refuse("input-invalid", { message: "Validation failed: q is missing" });
  const type = input.text("type");
  const nothing = { accounts: [], statuses: [], hashtags: [] };
  // One page of each: to find more, apps send more letters.
  if (input.count("offset", 0, 1_000_000) > 0) return nothing;
  const wants = (kind: string, mark: string) =>
    (type === undefined || type === kind) && !query.startsWith(mark);
  const limit = input.count("limit", 20, 40);
  const named = await atAddress(call, query);
  if (named) return { ...nothing, ...named };
  const name = localName(query, deps.publicUrl);
  const accounts = wants("accounts", "#") ? await accountsMatching(call, name) : [];
  const hashtags = wants("hashtags", "@") ? await deps.features.tags.beginning(viewer, query) : [];
  return {
    accounts: accounts.slice(0, limit),
    // The texts of posts are not searched here.
    statuses: [],
    hashtags: hashtags.slice(0, limit).map(({ tag }) => tagEntity(deps, tag)),
  };
}

/** A pasted address of ours: the post, or the profile. */
async function atAddress({ deps, viewer }: Call, query: string) {
  const { publicUrl, features } = deps;
  if (!query.startsWith(`${publicUrl}/`)) return null;
  const [, kind, name = "", number] = query.slice(publicUrl.length).split(/[/?#]/);
  if (kind === "post") {
    const post = await features.posts.get(viewer, name, Number(number));
    return { statuses: await statusEntities(deps, viewer, post ? [postItem(post)] : []) };
  }
  if (kind === "posts") {
    const [item] = await features.references.find(viewer, [isId(name) ? decimalOf(name) : ""]);
    return { statuses: await statusEntities(deps, viewer, item ? [item] : []) };
  }
  if (kind === "users") return { accounts: await accountEntities(deps, viewer, [name]) };
  if (kind === "search") {
    const id = isUsername(name.toLowerCase())
      ? (await features.accounts.findByAddress(viewer, name))?.id
      : name;
    return { accounts: await accountEntities(deps, viewer, id ? [id] : []) };
  }
  return null;
}

/** The tag that an address names. Refuses with not-found what is none. */
export function tagAt({ deps, part }: Pick<Call, "deps" | "part">) {
  const [name] = tagsOf(`#${part("name")}`);
  return tagEntity(deps, found(name));
}

/** A tag's id is its name here, from which its number is made. */
const tagEntity = ({ publicUrl }: MastodonDeps, name: string) => ({
  id: decimalOfWords(name),
  name,
  url: tagUrl(publicUrl, name),
  history: [],
  following: false,
});

/**
 * docs.joinmastodon.org/methods/reports, "category". Tusky sends none, and Mastodon for Android null for one
 * who presses "Skip": none of them has to come with words.
 */
const categories: ReadonlySet<string> = new Set(["spam", "legal", "violation", "other"]);

/** A report for each status, because moderators decide about each; the comment goes with all of them. */
async function report(call: MemberCall) {
  const { deps, viewer, input } = call;
  const { relations, reports } = deps.features;
  const accountId = found(await relations.find(input.text("account_id") ?? ""));
  const account = found((await accountEntities(deps, viewer, [accountId]))[0]);
  const asked = input.text("category") ?? "";
  const category = categories.has(asked) ? asked : "other";
  const reason: ReportReason = category === "spam" ? "spam" : "other";
  const comment = input.text("comment") ?? "";
  const ruleIds = category === "violation" ? await existingRules(deps, input.list("rule_ids")) : [];
  const words = withRules(comment, ruleIds);
  const statusIds = input.list("status_ids").slice(0, 10);
  const about = await aboutStatuses(call, statusIds);
  const things = about.length > 0 ? about : [{ kind: "account" as const, accountId }];
  let id = "";
  for (const thing of things) {
    ({ id } = await reports.report(viewer, thing, { reason, words }, { byApp: true }));
  }
  return {
    id: decimalOf(id),
    action_taken: false,
    action_taken_at: null,
    category,
    comment,
    forwarded: false,
    created_at: new Date().toISOString(),
    status_ids: statusIds,
    rule_ids: ruleIds.length > 0 ? ruleIds : null,
    target_account: account,
  };
}

/** Each once, in the order of the rules' page. */
async function existingRules({ features }: MastodonDeps, named: readonly string[]) {
  const rules = await features.operatorSettings.rules();
  return rules.map((_rule, at) => String(at + 1)).filter((id) => named.includes(id));
}

/** Our own reports have no field for what an app lets one tick: it stands below the words, where they leave room. */
function withRules(comment: string, ids: readonly string[]): string {
  if (ids.length === 0) return comment;
  const words = `${comment}\nHouse ${ids.length === 1 ? "rule" : "rules"} ${ids.join(", ")}`.trim();
  return words.length > reportLimits.words ? comment : words;
}

async function aboutStatuses({ deps, viewer }: MemberCall, ids: readonly string[]) {
  const { references } = deps.features;
  const refs = await references.findAll(ids);
  const named = ids.flatMap((id) => refs.get(id) ?? []);
  const posts = await references.posts(
    viewer,
    named.map(({ authorId, postId }) => ({ authorId, id: postId })),
  );
  return named.map(({ postId, commentId }) => {
    const { author, number } = found(posts.find(({ id }) => id === postId));
    return commentId === null
      ? { kind: "post" as const, author: author.username, number }
      : { kind: "comment" as const, author: author.username, number, commentId };
  });
}
