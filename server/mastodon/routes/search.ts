import { createHash } from "node:crypto";
import { decimalOf } from "#server/db/decimal-ids.ts";
import { localName } from "#server/mastodon/addresses.ts";
import { accountEntity } from "#server/mastodon/entities/accounts.ts";
import { tagUrl } from "#server/mastodon/entities/content.ts";
import { peopleOf, statusEntities } from "#server/mastodon/entities/statuses.ts";
import { shownPost } from "#server/features/posts/index.ts";
import type { Call, Face, FaceDeps } from "#server/mastodon/face.ts";
import { blockedNamed } from "#server/mastodon/routes/accounts.ts";
import { refuse } from "#shared/errors.ts";
import { tagsOf } from "#shared/tags.ts";
import type { ReportReason } from "#shared/report-kinds.ts";
import type { Viewer } from "#shared/views.ts";

/** docs.joinmastodon.org/methods/search, /suggestions, /reports */
export function searchRoutes(face: Face, deps: FaceDeps): void {
  const { features, publicUrl } = deps;
  const { search, tags, posts, relations, references, suggestions, reports } = features;
  const place = { ...deps, relations };

  async function accountsOf(viewer: Viewer | null, ids: readonly string[]) {
    const details = await relations.details(viewer, ids);
    const { named } = await peopleOf(place, viewer, details);
    return details.map((one) => accountEntity(deps, one, named));
  }

  face.get("/api/v2/search", { who: "anybody", scope: "read:search" }, async (call) => {
    const { input, viewer } = call;
    if (!viewer && (input.flag("resolve") || input.has("offset"))) throw refuse("sign-in-required");
    const query = (input.text("q") ?? "").trim();
    if (query === "") throw refuse("input-invalid", { message: "Validation failed: q is missing" });
    const type = input.text("type");
    const nothing = { accounts: [], statuses: [], hashtags: [] };
    // One page of each: what comes after it is asked for by more letters.
    if (input.count("offset", 0, 1_000_000) > 0) return nothing;
    const wants = (kind: string) => type === undefined || type === kind;
    const limit = input.count("limit", 20, 40);
    const named = await atAddress(viewer, query);
    if (named) return { ...nothing, ...named };
    return {
      accounts: wants("accounts") ? (await people(call, query)).slice(0, limit) : [],
      // Words of posts are not searched here.
      statuses: [],
      hashtags: wants("hashtags") ? (await hashtags(viewer, query)).slice(0, limit) : [],
    };
  });

  async function people({ viewer, request, input }: Call, query: string) {
    if (query.startsWith("#")) return [];
    const name = localName(query, publicUrl);
    const { items } = await search.accounts(viewer, name, null, { ip: request.ip });
    const followed = input.flag("following") ?? false;
    const found = followed ? items.filter(({ following }) => following) : items;
    const ids = found.map(({ id }) => id);
    const blocked = viewer && !followed ? await blockedNamed(deps, viewer, name) : [];
    return [...blocked, ...(await accountsOf(viewer, ids))];
  }

  // A tag is its name here: its number is made of it.
  const tagEntity = (name: string) => ({
    id: BigInt(`0x${createHash("sha256").update(name).digest("hex").slice(0, 15)}`).toString(),
    name,
    url: tagUrl(publicUrl, name),
    history: [],
    following: false,
  });

  face.get("/api/v1/tags/:name", { who: "anybody" }, ({ part }) => {
    const [name] = tagsOf(`#${part("name")}`);
    if (name === undefined) throw refuse("not-found");
    return tagEntity(name);
  });

  async function hashtags(viewer: Viewer | null, query: string) {
    if (query.startsWith("@")) return [];
    const found = await tags.beginning(viewer, query);
    return found.map(({ tag }) => tagEntity(tag));
  }

  /** A page of ours that was pasted: the post, or whose profile it is. */
  async function atAddress(viewer: Viewer | null, query: string) {
    if (!query.startsWith(`${publicUrl}/`)) return null;
    const [, kind, name = "", number] = query.slice(publicUrl.length).split(/[/?#]/);
    if (kind === "post") {
      const post = await posts.get(viewer, name, Number(number));
      return { statuses: await statusEntities(place, viewer, post ? [shownPost(post)] : []) };
    }
    if (kind === "search") return { accounts: await accountsOf(viewer, [name]) };
    return null;
  }

  const suggested = async (viewer: Viewer) =>
    accountsOf(
      viewer,
      (await suggestions.list(viewer)).map(({ id }) => id),
    );
  face.member("get", "/api/v1/suggestions", "read", ({ viewer }) => suggested(viewer));
  face.member("get", "/api/v2/suggestions", "read", async ({ viewer }) =>
    (await suggested(viewer)).map((account) => ({
      source: "past_interactions",
      sources: ["friends_of_friends"],
      account,
    })),
  );

  face.member("delete", "/api/v1/suggestions/:id", "write:accounts", async ({ viewer, part }) => {
    const id = await relations.find(part("id"));
    if (!id) throw refuse("not-found");
    await suggestions.dismiss(viewer, id);
    return {};
  });

  /** Each thing by itself, as moderators decide; words go with all of them. */
  face.member("post", "/api/v1/reports", "write:reports", async ({ viewer, input }) => {
    const accountId = await relations.find(input.text("account_id") ?? "");
    const [account] = accountId ? await accountsOf(viewer, [accountId]) : [];
    if (!accountId || !account) throw refuse("not-found");
    const category = input.text("category") ?? "other";
    const reason: ReportReason = category === "spam" ? "spam" : "other";
    const comment = input.text("comment") ?? "";
    const statusIds = input.list("status_ids").slice(0, 10);
    const about = await aboutStatuses(viewer, statusIds);
    const things = about.length > 0 ? about : [{ kind: "account" as const, accountId }];
    let id = "";
    for (const thing of things) {
      ({ id } = await reports.report(viewer, thing, { reason, words: comment }));
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
      rule_ids: null,
      target_account: account,
    };
  });

  async function aboutStatuses(viewer: Viewer, ids: readonly string[]) {
    const refs = await references.findAll(ids);
    const found = ids.flatMap((id) => refs.get(id) ?? []);
    const ofPosts = await references.posts(
      viewer,
      found.map(({ authorId, postId }) => ({ authorId, id: postId })),
    );
    return found.map(({ postId, commentId }) => {
      const post = ofPosts.find(({ id }) => id === postId);
      if (!post) throw refuse("not-found");
      const { author, number } = post;
      return commentId === null
        ? { kind: "post" as const, author: author.username, number }
        : { kind: "comment" as const, author: author.username, number, commentId };
    });
  }
}
