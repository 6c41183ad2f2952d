import { decimalOf } from "#server/db/decimal-ids.ts";
import { localName } from "#server/mastodon/addresses.ts";
import { accountEntity, hiddenAccountEntity } from "#server/mastodon/entities/accounts.ts";
import { peopleOf, statusEntities } from "#server/mastodon/entities/statuses.ts";
import { shownPost } from "#server/features/posts/index.ts";
import type { Call, Face, FaceDeps, MemberCall } from "#server/mastodon/face.ts";
import { endsIn, linkItems, linkRange, rangeIn } from "#server/mastodon/lists.ts";
import { mostStatuses } from "#server/mastodon/routes/timelines.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

const url = "/api/v1/accounts/:id";
const readable = { who: "anybody", scope: "read:accounts" } as const;

/** Who is there: docs.joinmastodon.org/methods/accounts */
export function accountRoutes(face: Face, deps: FaceDeps): void {
  face.get("/api/v1/accounts/lookup", { who: "anybody" }, (call) => lookUp(deps, call));
  face.member("get", "/api/v1/accounts/search", "read:accounts", (call) => search(deps, call));
  face.member("get", "/api/v1/accounts/familiar_followers", "read:follows", (call) =>
    familiarFollowers(deps, call),
  );
  face.get("/api/v1/accounts", readable, async ({ viewer, input }) => {
    const wanted = input.list("id").slice(0, 40);
    const found = await deps.features.relations.findAll(wanted);
    const ids = wanted.flatMap((id) => found.get(id) ?? []);
    return accountEntities(deps, viewer, ids);
  });
  face.get(url, readable, async (call) => entity(deps, call.viewer, await accountIn(deps, call)));
  face.get(`${url}/statuses`, { who: "anybody", scope: "read:statuses" }, (call) =>
    statuses(deps, call),
  );
  for (const which of ["followers", "following"] as const) {
    face.get(`${url}/${which}`, readable, async (call) => {
      const id = await accountIn(deps, call);
      const range = rangeIn(call, call.input.count("limit", 40, 80));
      const page = await deps.features.follows.between(call.viewer, which, id, range);
      linkRange(call, deps.publicUrl, page);
      const ids = page.items.map((account) => account.id);
      return accountEntities(deps, call.viewer, ids);
    });
  }
}

/** The id of the account that an address names, seen or not. Refuses with not-found. */
export async function accountIn({ features }: FaceDeps, { part }: Pick<Call, "part">) {
  const found = await features.relations.find(part("id"));
  if (!found) throw refuse("not-found");
  return found;
}

/** Those of these that the viewer may see, in their order. */
export async function accountEntities(
  deps: FaceDeps,
  viewer: Viewer | null,
  ids: readonly string[],
) {
  const details = await deps.features.relations.details(viewer, ids);
  const { named } = await peopleOf(deps.features, viewer, details);
  return details.map((one) => accountEntity(deps, one, named));
}

/** Whom the viewer blocked and names by their whole username: apps search for those whom they unblock. */
export async function blockedNamed(deps: FaceDeps, viewer: Viewer, username: string) {
  const blocked = await deps.features.blocks.find(viewer, { username });
  return blocked ? [hiddenAccountEntity(deps, blocked)] : [];
}

async function entity(deps: FaceDeps, viewer: Viewer | null, id: string) {
  const [account] = await accountEntities(deps, viewer, [id]);
  if (account) return account;
  const blocked = viewer && (await deps.features.blocks.find(viewer, { id }));
  if (!blocked) throw refuse("not-found");
  return hiddenAccountEntity(deps, blocked);
}

async function lookUp(deps: FaceDeps, { viewer, input }: Call) {
  const { accounts, blocks } = deps.features;
  const username = localName(input.text("acct") ?? "", deps.publicUrl);
  const found =
    (await accounts.findByAddress(viewer, username)) ??
    (viewer && (await blocks.find(viewer, { username })));
  if (!found) throw refuse("not-found");
  return entity(deps, viewer, found.id);
}

async function search(deps: FaceDeps, { viewer, input, request }: MemberCall) {
  const query = localName(input.text("q") ?? "", deps.publicUrl);
  if (query === "" || input.count("offset", 0, 1_000_000) > 0) return [];
  const page = await deps.features.search.accounts(viewer, query, null, { ip: request.ip });
  const followed = input.flag("following") ?? false;
  const found = followed ? page.items.filter(({ following }) => following) : page.items;
  const ids = found.map(({ id }) => id);
  const blocked = followed ? [] : await blockedNamed(deps, viewer, query);
  const all = [...blocked, ...(await accountEntities(deps, viewer, ids))];
  return all.slice(0, input.count("limit", 40, 80));
}

async function familiarFollowers(deps: FaceDeps, { viewer, input }: MemberCall) {
  const { relations } = deps.features;
  const wanted = [...new Set(input.list("id"))].slice(0, 20);
  const found = await relations.findAll(wanted);
  const pairs = await relations.familiarFollowers(viewer, [...found.values()]);
  const people = await accountEntities(deps, viewer, [...new Set(pairs.map(({ id }) => id))]);
  const byId = new Map(people.map((account) => [account.id, account]));
  return wanted.flatMap((decimal) => {
    const of = found.get(decimal);
    if (of === undefined) return [];
    const own = pairs.filter((pair) => pair.of === of);
    return [{ id: decimal, accounts: own.flatMap(({ id }) => byId.get(decimalOf(id)) ?? []) }];
  });
}

async function statuses(deps: FaceDeps, call: Call) {
  const { viewer, input } = call;
  const { references, relations } = deps.features;
  const authorId = await accountIn(deps, call);
  if (input.text("tagged")) {
    throw refuse("not-offered", { message: "Look for a tag in the tag's own timeline." });
  }
  // Nobody pins anything, and posts are all that stands in a profile.
  if (input.flag("pinned")) return [];
  const limit = input.count("limit", 20, mostStatuses);
  const onlyPhotos = input.flag("only_media") ?? false;
  const posts = await references.ofAuthor(viewer, authorId, endsIn(call), { limit, onlyPhotos });
  const shown = await statusEntities({ ...deps, relations }, viewer, posts.map(shownPost));
  linkItems(call, deps.publicUrl, shown, posts.length === limit);
  return shown;
}
