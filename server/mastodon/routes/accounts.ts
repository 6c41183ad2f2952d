import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { localName } from "#server/mastodon/addresses.ts";
import { hiddenAccountEntity, type accountEntity } from "#server/mastodon/entities/accounts.ts";
import { accountEntities } from "#server/mastodon/entities/account-lookup.ts";
import { statusEntities } from "#server/mastodon/entities/statuses.ts";
import { postItem, type PostOrComment } from "#server/features/posts/index.ts";
import type { Call, MastodonRouter, MemberCall } from "#server/mastodon/router.ts";
import { accountPageSize, endsIn, itemsInRange, linkItems } from "#server/mastodon/pagination.ts";
import { mostStatuses } from "#server/mastodon/routes/timelines.ts";
import { found, refuse } from "#shared/errors.ts";

const url = "/api/v1/accounts/:id";
const readable = { who: "anybody", scope: "read:accounts" } as const;

/** Accounts: docs.joinmastodon.org/methods/accounts */
export function accountRoutes(router: MastodonRouter): void {
  router.get("/api/v1/accounts/lookup", { who: "anybody" }, lookUp);
  router.member("get", "/api/v1/accounts/search", "read:accounts", search);
  router.member("get", "/api/v1/accounts/familiar_followers", "read:follows", familiarFollowers);
  router.get("/api/v1/accounts", readable, async ({ deps, viewer, input }) => {
    const wanted = input.list("id").slice(0, 40);
    const found = await deps.features.relations.findAll(wanted);
    const ids = wanted.flatMap((id) => found.get(id) ?? []);
    return accountEntities(deps, viewer, ids);
  });
  router.get(url, readable, async (call) => entity(call, await accountIn(call)));
  router.get(`${url}/statuses`, { who: "anybody", scope: "read:statuses" }, statuses);
  for (const which of ["followers", "following"] as const) {
    router.get(`${url}/${which}`, readable, async (call) => {
      const { deps, viewer } = call;
      const id = await accountIn(call);
      const { listsOpen } = found(await deps.features.profiles.get(viewer, id));
      if (!listsOpen) return [];
      const people = await itemsInRange(call, accountPageSize, (range) =>
        deps.features.follows.between(viewer, which, id, range),
      );
      const ids = people.map((account) => account.id);
      return accountEntities(deps, viewer, ids);
    });
  }
}

/** The id of the account that an address names, visible or not. Refuses with not-found. */
export const accountIn = async ({ deps: { features }, part }: Pick<Call, "deps" | "part">) =>
  found(await features.relations.find(part("id")));

async function entity({ deps, viewer }: Call, id: string) {
  const [account] = await accountEntities(deps, viewer, [id]);
  if (account) return account;
  const blocked = viewer && (await deps.features.blocks.find(viewer, { id }));
  return hiddenAccountEntity(deps, found(blocked));
}

async function lookUp(call: Call) {
  const { deps, viewer, input } = call;
  const { accounts, blocks } = deps.features;
  const username = localName(input.text("acct") ?? "", deps.publicUrl);
  const { id } = found(
    (await accounts.findByAddress(viewer, username)) ??
      (viewer && (await blocks.find(viewer, { username }))),
  );
  return entity(call, id);
}

async function search(call: MemberCall) {
  const { deps, input } = call;
  const name = localName(input.text("q") ?? "", deps.publicUrl);
  if (name === "" || input.count("offset", 0, 1_000_000) > 0) return [];
  return (await accountsMatching(call, name)).slice(0, input.count("limit", 40, 80));
}

/**
 * The accounts that part of a name finds; first an account the viewer blocked, if it is their full username:
 * apps search for those they unblock.
 */
export async function accountsMatching(
  { deps, viewer, input, request }: Call,
  name: string,
): Promise<ReturnType<typeof accountEntity>[]> {
  const { search: people, blocks } = deps.features;
  const { items } = await people.accounts(viewer, name, null, { ip: request.ip });
  const followed = input.flag("following") ?? false;
  const found = followed ? items.filter(({ following }) => following) : items;
  const ids = found.map(({ id }) => id);
  const blocked = viewer && !followed ? await blocks.find(viewer, { username: name }) : null;
  const entities = await accountEntities(deps, viewer, ids);
  return blocked ? [hiddenAccountEntity(deps, blocked), ...entities] : entities;
}

async function familiarFollowers({ deps, viewer, input }: MemberCall) {
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

async function statuses(call: Call) {
  const { deps, viewer, input } = call;
  const { references } = deps.features;
  const authorId = await accountIn(call);
  if (input.text("tagged")) {
    throw refuse("not-offered", { message: "Look for a tag in the tag's own timeline." });
  }
  // Nothing can be pinned.
  if (input.flag("pinned")) return [];
  const limit = input.count("limit", 20, mostStatuses);
  const onlyPhotos = input.flag("only_media") ?? false;
  const answer = async (items: readonly PostOrComment[], more: boolean) => {
    const shown = await statusEntities(deps, viewer, items);
    linkItems(call, shown, more);
    return shown;
  };
  // Comments have no photos.
  if (onlyPhotos || input.flag("exclude_replies")) {
    const posts = await references.ofAuthor(viewer, authorId, endsIn(call), { limit, onlyPhotos });
    return answer(posts.map(postItem), posts.length === limit);
  }
  const { items, more } = await references.writtenBy(viewer, authorId, endsIn(call), limit);
  return answer(items, more);
}
