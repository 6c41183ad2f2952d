import { decimalOf } from "#server/db/decimal-ids.ts";
import { localName, withLocalNames } from "#server/mastodon/addresses.ts";
import {
  accountEntity,
  hiddenAccountEntity,
  ownAccountEntity,
  profileEntity,
  relationEntity,
} from "#server/mastodon/entities/accounts.ts";
import { peopleOf, shownPost, statusEntities } from "#server/mastodon/entities/statuses.ts";
import type { Face, FaceDeps, MemberCall } from "#server/mastodon/face.ts";
import { endsIn, linkItems, linkRange, rangeIn } from "#server/mastodon/lists.ts";
import { tokenEntity } from "#server/mastodon/routes/oauth.ts";
import { signUpProblems } from "#server/mastodon/sign-up-problems.ts";
import { mostStatuses } from "#server/mastodon/routes/timelines.ts";
import { clientOf } from "#server/http/page-context.ts";
import { refuse } from "#shared/errors.ts";
import { settings as declaredSettings, type Switches } from "#shared/settings.ts";
import type { Viewer } from "#shared/views.ts";

/** docs.joinmastodon.org/methods/accounts, /blocks, /mutes, /profile */
export function accountRoutes(face: Face, deps: FaceDeps): void {
  const { features, publicUrl } = deps;
  const { relations, references, follows, blocks, profiles, images, accounts, search, settings } =
    features;

  /** An account that names itself so in the address. Refuses with not-found. */
  async function idOf(id: string): Promise<string> {
    const found = await relations.find(id);
    if (!found) throw refuse("not-found");
    return found;
  }

  async function entities(viewer: Viewer | null, ids: readonly string[]) {
    const details = await relations.details(viewer, ids);
    const { named } = await peopleOf(deps.features, viewer, details);
    return details.map((one) => accountEntity(deps, one, named));
  }

  async function entity(viewer: Viewer | null, id: string) {
    const [account] = await entities(viewer, [id]);
    if (account) return account;
    const blocked = viewer && (await blocks.find(viewer, { id }));
    if (!blocked) throw refuse("not-found");
    return hiddenAccountEntity(deps, blocked);
  }

  async function ownDetails(viewer: Viewer) {
    const [details] = await relations.details(viewer, [viewer.id]);
    if (!details) throw refuse("app-token");
    return details;
  }

  async function own(viewer: Viewer) {
    const details = await ownDetails(viewer);
    const { named } = await peopleOf(deps.features, viewer, [details]);
    return ownAccountEntity(deps, details, named);
  }

  // docs.joinmastodon.org/methods/accounts/#create: for an app by itself, nobody signed in.
  face.post(
    "/api/v1/accounts",
    { who: "app", scope: "write:accounts" },
    async ({ request, reply, input, caller }) => {
      if (!caller || caller.viewer) throw refuse("app-right");
      const asked = features.identity.signUp.byApp(
        {
          agreed: input.flag("agreement") ?? false,
          username: input.text("username") ?? "",
          email: input.text("email") ?? "",
          password: input.text("password") ?? "",
          invitation: input.text("invite_code") ?? null,
          // No cookie is looked at here.
          client: { ...clientOf(request), cookieHeader: "" },
        },
        (accountId) => features.apps.giveNew(caller, accountId),
      );
      try {
        return tokenEntity(await asked);
      } catch (error) {
        const problems = signUpProblems(error);
        if (!problems) throw error;
        return reply.status(422).send(problems);
      }
    },
  );

  // docs.joinmastodon.org/methods/emails. Another address is asked for with the password, which no app sees.
  face.member("post", "/api/v1/emails/confirmations", "write:accounts", async (call) => {
    const { viewer, input, request } = call;
    if (viewer.emailVerified) {
      const message = "This method is only available while the e-mail is awaiting confirmation";
      throw refuse("app-right", { message });
    }
    const address = input.text("email") ?? "";
    if (address !== "" && address.toLowerCase() !== viewer.email)
      throw no("Your address is changed on this server's own pages, under Settings.");
    await features.verification.resend(viewer, { ...clientOf(request), cookieHeader: "" });
    return {};
  });

  face.member("get", "/api/v1/accounts/verify_credentials", "profile", ({ viewer }) => own(viewer));

  // docs.joinmastodon.org/methods/oauth#userinfo
  face.member("get", "/oauth/userinfo", "profile", async ({ viewer }) => {
    const { display_name: name, username, url, avatar } = await own(viewer);
    const sub = { iss: `${publicUrl}/`, sub: url };
    return { ...sub, name, preferred_username: username, profile: url, picture: avatar };
  });

  face.member(
    "patch",
    "/api/v1/accounts/update_credentials",
    "write:accounts",
    async (call) => {
      await saveProfile(call);
      // Names and picture may be others now than the token's look-up said.
      return own(call.viewer);
    },
    { takesFiles: true },
  );

  // docs.joinmastodon.org/methods/profile
  const profile = async ({ viewer }: MemberCall) => profileEntity(deps, await ownDetails(viewer));
  face.member("get", "/api/v1/profile", "profile", profile);
  face.member(
    "patch",
    "/api/v1/profile",
    "write:accounts",
    async (call) => {
      await saveProfile(call);
      return profile(call);
    },
    { takesFiles: true },
  );
  // There is no header, so it is gone already.
  face.member("delete", "/api/v1/profile/avatar", "write:accounts", async ({ viewer }) => {
    await profiles.removePicture(viewer);
    return own(viewer);
  });
  face.member("delete", "/api/v1/profile/header", "write:accounts", ({ viewer }) => own(viewer));

  async function saveProfile({ viewer, input }: MemberCall): Promise<void> {
    if (input.hasFile("header")) throw no("Profiles here have no header picture.");
    if (input.flag("locked")) throw no("Accounts here are open: anybody may follow them.");
    if (input.flag("bot")) throw no("This server doesn't mark bots.");
    if (input.flag("hide_collections")) throw no("Everybody sees here who follows whom.");
    const source = new Map(input.under("source"));
    if ((source.get("privacy") ?? "public") !== "public") throw no("Posts here are public.");
    if (source.get("sensitive") === "true") throw no("This server has no content warnings.");
    const website = websiteIn(input.records("fields_attributes"));
    const name = input.text("display_name");
    const note = input.text("note");
    const bio = note === undefined ? undefined : withLocalNames(note, publicUrl);
    const avatar = input.file("avatar");
    const imageId = avatar && (await images.upload(viewer, avatar)).imageId;
    await profiles.update(viewer, { displayName: name, bio, website, imageId });
    const switches = switchesIn(input);
    if (Object.keys(switches).length > 0) await settings.change(viewer, switches);
  }

  face.get("/api/v1/accounts/lookup", { who: "anybody" }, async ({ viewer, input }) => {
    const username = localName(input.text("acct") ?? "", publicUrl);
    const found =
      (await accounts.findByAddress(viewer, username)) ??
      (viewer && (await blocks.find(viewer, { username })));
    if (!found) throw refuse("not-found");
    return entity(viewer, found.id);
  });

  face.member("get", "/api/v1/accounts/search", "read:accounts", async (call) => {
    const { viewer, input, request } = call;
    const query = localName(input.text("q") ?? "", publicUrl);
    if (query === "" || input.count("offset", 0, 1_000_000) > 0) return [];
    const page = await search.accounts(viewer, query, null, { ip: request.ip });
    const followed = input.flag("following") ?? false;
    const found = followed ? page.items.filter(({ following }) => following) : page.items;
    const ids = found.map(({ id }) => id);
    const blocked = followed ? [] : await blockedNamed(deps, viewer, query);
    const all = [...blocked, ...(await entities(viewer, ids))];
    return all.slice(0, input.count("limit", 40, 80));
  });

  face.member("get", "/api/v1/accounts/relationships", "read:follows", async (call) => {
    const wanted = call.input.list("id").slice(0, 80);
    const found = await relations.findAll(wanted);
    const ids = wanted.flatMap((id) => found.get(id) ?? []);
    return (await relations.relations(call.viewer, ids)).map(relationEntity);
  });

  face.member("get", "/api/v1/accounts/familiar_followers", "read:follows", async (call) => {
    const wanted = [...new Set(call.input.list("id"))].slice(0, 20);
    const found = await relations.findAll(wanted);
    const pairs = await relations.familiarFollowers(call.viewer, [...found.values()]);
    const people = await entities(call.viewer, [...new Set(pairs.map(({ id }) => id))]);
    const byId = new Map(people.map((account) => [account.id, account]));
    return wanted.flatMap((decimal) => {
      const of = found.get(decimal);
      if (of === undefined) return [];
      const own = pairs.filter((pair) => pair.of === of);
      return [{ id: decimal, accounts: own.flatMap(({ id }) => byId.get(decimalOf(id)) ?? []) }];
    });
  });

  face.get("/api/v1/accounts", { who: "anybody", scope: "read:accounts" }, async (call) => {
    const wanted = call.input.list("id").slice(0, 40);
    const found = await relations.findAll(wanted);
    return entities(
      call.viewer,
      wanted.flatMap((id) => found.get(id) ?? []),
    );
  });

  face.get(
    "/api/v1/accounts/:id",
    { who: "anybody", scope: "read:accounts" },
    async ({ viewer, part }) => entity(viewer, await idOf(part("id"))),
  );

  face.get(
    "/api/v1/accounts/:id/statuses",
    { who: "anybody", scope: "read:statuses" },
    async (call) => {
      const { viewer, input, part } = call;
      const authorId = await idOf(part("id"));
      if (input.text("tagged")) {
        throw refuse("not-offered", { message: "Look for a tag in the tag's own timeline." });
      }
      // Nobody pins anything, and posts are all that stands in a profile.
      if (input.flag("pinned")) return [];
      const limit = input.count("limit", 20, mostStatuses);
      const onlyPhotos = input.flag("only_media") ?? false;
      const ends = endsIn(call);
      const posts = await references.ofAuthor(viewer, authorId, ends, { limit, onlyPhotos });
      const place = { ...deps, relations };
      const statuses = await statusEntities(place, viewer, posts.map(shownPost));
      linkItems(call, publicUrl, statuses, posts.length === limit);
      return statuses;
    },
  );

  const readable = { who: "anybody", scope: "read:accounts" } as const;
  for (const which of ["followers", "following"] as const) {
    face.get(`/api/v1/accounts/:id/${which}`, readable, async (call) => {
      const id = await idOf(call.part("id"));
      const range = rangeIn(call, call.input.count("limit", 40, 80));
      const page = await follows.between(call.viewer, which, id, range);
      linkRange(call, publicUrl, page);
      return entities(
        call.viewer,
        page.items.map((account) => account.id),
      );
    });
  }

  face.member("get", "/api/v1/blocks", "read:blocks", async (call) => {
    const range = rangeIn(call, call.input.count("limit", 40, 80));
    const page = await blocks.between(call.viewer, "blocked", range);
    linkRange(call, publicUrl, page);
    return page.items.map((account) => hiddenAccountEntity(deps, account));
  });
  face.member("get", "/api/v1/mutes", "read:mutes", async (call) => {
    const range = rangeIn(call, call.input.count("limit", 40, 80));
    const page = await blocks.between(call.viewer, "muted", range);
    linkRange(call, publicUrl, page);
    return entities(
      call.viewer,
      page.items.map(({ id }) => id),
    );
  });

  /** What a member does to somebody; it answers how the two stand. */
  function act(
    name: string,
    scope: "write:follows" | "write:blocks" | "write:mutes",
    work: (viewer: Viewer, accountId: string, call: MemberCall) => Promise<unknown>,
  ): void {
    face.member("post", `/api/v1/accounts/:id/${name}`, scope, async (call) => {
      const id = await idOf(call.part("id"));
      await work(call.viewer, id, call);
      const [relation] = await relations.relations(call.viewer, [id]);
      if (!relation) throw refuse("not-found");
      return relationEntity(relation);
    });
  }

  act("follow", "write:follows", async (viewer, id, { input }) => {
    if (input.flag("notify")) throw no("Nobody is told of each post of somebody here.");
    if (input.list("languages").length > 0) throw no("Posts aren't told apart by language here.");
    return follows.follow(viewer, id);
  });
  act("unfollow", "write:follows", (viewer, id) => follows.unfollow(viewer, id));
  act("block", "write:blocks", (viewer, id) => blocks.block(viewer, id));
  act("unblock", "write:blocks", (viewer, id) => blocks.unblock(viewer, id));
  act("mute", "write:mutes", async (viewer, id, { input }) => {
    if (Number(input.text("duration") ?? 0) > 0) {
      throw refuse("not-offered", { message: "People are muted here until you unmute them." });
    }
    if (input.flag("notifications") === false)
      throw no("Whoever is muted here tells you nothing either.");
    return blocks.mute(viewer, id);
  });
  act("unmute", "write:mutes", (viewer, id) => blocks.unmute(viewer, id));
}

/** Whom the viewer blocked and names by their whole username: apps search for those whom they unblock. */
export async function blockedNamed(deps: FaceDeps, viewer: Viewer, username: string) {
  const blocked = await deps.features.blocks.find(viewer, { username });
  return blocked ? [hiddenAccountEntity(deps, blocked)] : [];
}

const no = (message: string) => refuse("not-offered", { message });

/** The settings that apps have a name for, as far as one was sent. */
function switchesIn(input: MemberCall["input"]): Partial<Switches> {
  return Object.fromEntries(
    Object.entries(declaredSettings).flatMap(([name, { apps }]) => {
      const on = apps ? input.flag(apps) : undefined;
      return on === undefined ? [] : [[name, on]];
    }),
  );
}

/** The one field that a profile has here. Refuses any other with not-offered; undefined where none was sent. */
function websiteIn(fields: readonly Record<string, string>[]): string | undefined {
  if (fields.length === 0) return undefined;
  const values = fields.flatMap(({ value }) => value || []);
  const [website = "", ...others] = values.map((value) => value.replace(/<[^<>]*>/g, "").trim());
  if (others.length > 0) {
    const message = "Profiles here have one field: the address of a website.";
    throw refuse("not-offered", { message });
  }
  return website;
}
