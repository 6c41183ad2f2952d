import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { isoTime } from "#server/mastodon/entities/content.ts";
import { hiddenAccountEntity, relationEntity } from "#server/mastodon/entities/accounts.ts";
import type { MastodonRouter, MastodonDeps, MemberCall } from "#server/mastodon/router.ts";
import { accountPageSize, itemsInRange } from "#server/mastodon/pagination.ts";
import { accountEntities } from "#server/mastodon/entities/account-lookup.ts";
import { accountIn } from "#server/mastodon/routes/accounts.ts";
import { found, refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/** Relationships of a member with others: docs.joinmastodon.org/methods/accounts, /blocks, /mutes, /follow_requests */
export function relationshipRoutes(router: MastodonRouter, deps: MastodonDeps): void {
  const { relations, blocks, followRequests } = deps.features;

  router.member("get", "/api/v1/accounts/relationships", "read:follows", async (call) => {
    const wanted = call.input.list("id").slice(0, 80);
    const found = await relations.findAll(wanted);
    const ids = wanted.flatMap((id) => found.get(id) ?? []);
    return (await relations.relations(call.viewer, ids)).map(relationEntity);
  });
  router.member("get", "/api/v1/blocks", "read:blocks", async (call) => {
    const blocked = await hiddenBy(call, "blocked");
    return blocked.map((account) => hiddenAccountEntity(deps, account));
  });
  router.member("get", "/api/v1/mutes", "read:mutes", async (call) => {
    const hidden = await hiddenBy(call, "muted");
    const ids = hidden.map(({ id }) => id);
    const muted = await accountEntities(deps, call.viewer, ids);
    const ends = new Map(hidden.map(({ id, until }) => [decimalOf(id), until]));
    // docs.joinmastodon.org/entities/Account, "MutedAccount"
    return muted.map((account) => {
      const until = ends.get(account.id) ?? null;
      return { ...account, mute_expires_at: until === null ? null : isoTime(until) };
    });
  });

  const hiddenBy = (call: MemberCall, which: "blocked" | "muted") =>
    itemsInRange(call, accountPageSize, (range) => blocks.between(call.viewer, which, range));

  router.member("get", requests, "read:follows", async (call) => {
    const asking = await itemsInRange(call, accountPageSize, (range) =>
      followRequests.between(call.viewer, range),
    );
    const ids = asking.map(({ id }) => id);
    return accountEntities(deps, call.viewer, ids);
  });

  actRoutes(router, deps.features);
}

/** A member's relationship with an account. Refuses with not-found. */
export async function relationTo({ deps, viewer }: MemberCall, accountId: string) {
  const [relation] = await deps.features.relations.relations(viewer, [accountId]);
  return relationEntity(found(relation));
}

const requests = "/api/v1/follow_requests";
const accounts = "/api/v1/accounts";

function actRoutes(router: MastodonRouter, features: MastodonDeps["features"]): void {
  const { follows, followRequests, blocks, notes } = features;

  /** What a member does to another account; it answers with their relationship. */
  function act(
    name: string,
    scope: "write:accounts" | "write:follows" | "write:blocks" | "write:mutes",
    work: (viewer: Viewer, accountId: string, call: MemberCall) => Promise<unknown>,
    under = accounts,
  ): void {
    router.member("post", `${under}/:id/${name}`, scope, async (call) => {
      const id = await accountIn(call);
      await work(call.viewer, id, call);
      return relationTo(call, id);
    });
  }

  act("follow", "write:follows", async (viewer, id, { input }) => {
    if (input.flag("notify")) throw no("Nobody is told of each post of somebody here.");
    if (input.list("languages").length > 0) throw no("Posts aren't told apart by language here.");
    return follows.follow(viewer, id);
  });
  act("unfollow", "write:follows", (viewer, id) => follows.unfollow(viewer, id));
  act("remove_from_followers", "write:follows", (viewer, id) => follows.removeFollower(viewer, id));
  act("authorize", "write:follows", (viewer, id) => followRequests.accept(viewer, id), requests);
  act("reject", "write:follows", (viewer, id) => followRequests.refuse(viewer, id), requests);
  act("block", "write:blocks", (viewer, id) => blocks.block(viewer, id));
  act("unblock", "write:blocks", (viewer, id) => blocks.unblock(viewer, id));
  act("mute", "write:mutes", async (viewer, id, { input }) => {
    if (input.flag("notifications") === false)
      throw no("People you mute here send you no notifications either.");
    const seconds = Number(input.text("duration"));
    return blocks.mute(viewer, id, seconds > 0 ? seconds : null);
  });
  act("note", "write:accounts", (viewer, id, { input }) =>
    notes.set(viewer, id, input.text("comment") ?? ""),
  );
  act("unmute", "write:mutes", (viewer, id) => blocks.unmute(viewer, id));
}

const no = (message: string) => refuse("not-offered", { message });
