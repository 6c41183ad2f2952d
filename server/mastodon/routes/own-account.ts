import { withLocalNames } from "#server/mastodon/addresses.ts";
import { ownAccountEntity, profileEntity } from "#server/mastodon/entities/accounts.ts";
import { lookUpAccounts } from "#server/mastodon/entities/account-lookup.ts";
import type { Call, MastodonRouter, MemberCall } from "#server/mastodon/router.ts";
import { tokenEntity } from "#server/mastodon/routes/oauth.ts";
import { signUpProblems } from "#server/mastodon/sign-up-problems.ts";
import { clientOf } from "#server/http/request-client.ts";
import { audienceFor, visibilityIn, visibilityOf } from "#server/mastodon/visibility.ts";
import { refuse } from "#shared/errors.ts";
import { cutExtra, extraFieldPlaces, extraInputsOf } from "#shared/extra-fields.ts";
import { writtenIn } from "#shared/languages.ts";
import { settings as declaredSettings, type Switches } from "#shared/settings.ts";

/** The caller's own account: docs.joinmastodon.org/methods/accounts, /emails, /profile */
export function ownAccountRoutes(router: MastodonRouter): void {
  router.post("/api/v1/accounts", { who: "app", scope: "write:accounts" }, signUp);
  router.member("post", "/api/v1/emails/confirmations", "write:accounts", confirmAgain);
  router.member("get", "/api/v1/accounts/verify_credentials", "profile", own);

  // docs.joinmastodon.org/methods/oauth#userinfo
  router.member("get", "/oauth/userinfo", "profile", async (call) => {
    const { display_name: name, username, url, uri, avatar } = await own(call);
    const sub = { iss: `${call.deps.publicUrl}/`, sub: uri };
    return { ...sub, name, preferred_username: username, profile: url, picture: avatar };
  });

  const files = { takesFiles: true };
  const credentials = "/api/v1/accounts/update_credentials";
  router.member("patch", credentials, "write:accounts", saveThen(own), files);
  router.member("get", "/api/v1/profile", "profile", profile);
  router.member("patch", "/api/v1/profile", "write:accounts", saveThen(profile), files);

  router.member("delete", "/api/v1/profile/avatar", "write:accounts", async (call) => {
    await call.deps.features.profiles.removeAvatar(call.viewer);
    return own(call);
  });
  // There is no header image, so it is removed already.
  router.member("delete", "/api/v1/profile/header", "write:accounts", own);
}

/** Names and avatar may have changed since the token's look-up. */
const saveThen =
  <Answer>(answer: (call: MemberCall) => Promise<Answer>) =>
  async (call: MemberCall): Promise<Answer> => {
    await saveProfile(call);
    return answer(call);
  };

/** docs.joinmastodon.org/methods/accounts/#create: by an app itself, with nobody signed in. */
async function signUp({ deps: { features }, request, reply, input, caller }: Call) {
  if (!caller || caller.viewer) throw refuse("app-right");
  const asked = features.identity.signUp.byApp(
    {
      agreed: input.flag("agreement") ?? false,
      username: input.text("username") ?? "",
      email: input.text("email") ?? "",
      password: input.text("password") ?? "",
      invitation: input.text("invite_code") ?? null,
      // Cookies are ignored here.
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
}

/** Changing the email needs the password, which no app sees. */
async function confirmAgain({ deps: { features }, viewer, input, request }: MemberCall) {
  if (viewer.emailVerified) {
    const message = "This method is only available while the e-mail is awaiting confirmation";
    throw refuse("app-right", { message });
  }
  const address = input.text("email") ?? "";
  if (address !== "" && address.toLowerCase() !== viewer.email)
    throw no("Your address is changed on this server's own pages, under Settings.");
  await features.verification.resend(viewer, { ...clientOf(request), cookieHeader: "" });
  return {};
}

async function ownDetails({ deps, viewer }: MemberCall) {
  const [details] = await deps.features.relations.details(viewer, [viewer.id]);
  if (!details) throw refuse("app-token");
  return details;
}

async function own(call: MemberCall) {
  const { deps, viewer } = call;
  const { posts, followRequests, settings } = deps.features;
  const [details, next, requests, languages] = await Promise.all([
    ownDetails(call),
    posts.nextAudience(viewer),
    followRequests.count(viewer),
    settings.get(viewer),
  ]);
  const { named } = await lookUpAccounts(deps.features, viewer, [details]);
  const own = { privacy: visibilityOf(next), language: writtenIn(languages), requests };
  return ownAccountEntity(deps, details, { named, ...own });
}

async function profile(call: MemberCall) {
  return profileEntity(call.deps, await ownDetails(call));
}

async function saveProfile({ deps, viewer, input }: MemberCall): Promise<void> {
  const { profiles, images, posts, privacy, settings } = deps.features;
  if (input.hasFile("header")) throw no("Profiles here have no header picture.");
  if (input.flag("bot")) throw no("This server doesn't mark bots.");
  if (input.flag("hide_collections"))
    throw no("Who follows whom is hidden here with a private account, and only then.");
  const source = new Map(input.under("source"));
  const visibility = visibilityIn(source.get("privacy"));
  if (source.get("sensitive") === "true")
    throw no("Content warnings are chosen for each post here.");
  const fields = fieldsIn(input.records("fields_attributes"));
  const name = input.text("display_name");
  const note = input.text("note");
  const bio = note === undefined ? undefined : withLocalNames(note, deps.publicUrl);
  const avatar = input.file("avatar");
  const imageId = avatar && (await images.upload(viewer, avatar)).imageId;
  await profiles.update(viewer, { displayName: name, bio, ...fields, imageId });
  const locked = input.flag("locked");
  if (locked !== undefined) await privacy.set(viewer, locked);
  const switches = switchesIn(input);
  if (Object.keys(switches).length > 0) await settings.change(viewer, switches);
  const postingLanguage = source.get("language");
  if (postingLanguage !== undefined) await settings.changeLanguages(viewer, { postingLanguage });
  if (visibility) {
    const now = await posts.nextAudience(viewer);
    const audience = audienceFor(visibility, now);
    if (audience !== now.audience) await posts.setNextAudience(viewer, audience);
  }
}

const no = (message: string) => refuse("not-offered", { message });

/** The settings that apps have a name for, as far as they were sent. */
function switchesIn(input: MemberCall["input"]): Partial<Switches> {
  return Object.fromEntries(
    Object.entries(declaredSettings).flatMap(([name, { apps }]) => {
      const on = apps ? input.flag(apps) : undefined;
      return on === undefined ? [] : [[name, on]];
    }),
  );
}

/**
 * The fields of a profile, in their order; nothing if none was sent. What is longer than one may be is cut, as
 * Mastodon does (app/models/account/field.rb), so that a field keeps nobody from saving the rest. Refuses more
 * than there is room for with not-offered.
 */
function fieldsIn(sent: readonly Record<string, string>[]) {
  if (sent.length === 0) return {};
  const fields = sent
    .map(({ name = "", value = "" }) => ({ name: cutExtra(name), value: cutExtra(value) }))
    .filter(({ name, value }) => name !== "" || value !== "");
  if (fields.length > extraFieldPlaces.length) throw no("A profile here has four fields.");
  return extraInputsOf(fields);
}
