import { createDoctorPass } from "#server/platform/admin/doctor/doctor-pass.ts";
import { newId as freshId } from "#server/platform/db/ids.ts";
import {
  createAdministration,
  createDashboard,
  createFirstOperator,
  operators,
} from "#server/features/administration/index.ts";
import { createDeletion } from "#server/features/deletion/index.ts";
import { createModeration, createReports } from "#server/features/moderation/index.ts";
import {
  createDeviceImports,
  createExports,
  createImports,
} from "#server/features/archive/index.ts";
import {
  createAccounts,
  createBlocks,
  createCloseFriends,
  createNotes,
  createElsewhere,
  createFollowRequests,
  createFollows,
  createMutedWords,
  createPrivacy,
  createProfiles,
  createRelations,
  createSearch,
  createSettings,
  createVerifiedLinks,
  createWordFilters,
  narrowPostsPossible,
} from "#server/features/people/index.ts";
import { createExplore, createPostsDistrict } from "#server/features/posts/index.ts";
import {
  createChat,
  createImportedConversations,
  createLive,
} from "#server/features/talk/index.ts";
import { createCompat } from "#server/compat/documents/index.ts";
import { createTroubles } from "#server/platform/status/troubles.ts";
import { accountOfApp, createApps } from "#server/features/apps/index.ts";
import { createIdempotency } from "#server/features/idempotency/idempotency.ts";
import { createGuests, createSharedLinks } from "#server/features/links/index.ts";
import {
  accountOfSession,
  createIdentity,
  createSecurityMails,
  createProviders,
  createTwoFactor,
  createVerification,
  mailJobs,
  pageLanguage,
} from "#server/features/identity/index.ts";
import {
  createBaseFeatures,
  createNotificationFeatures,
  type BaseDeps,
  type Deps,
  type FeatureDeps,
} from "#server/features/base-features.ts";

/** The product's rules, as both screens and APIs call them. */
export type Features = ReturnType<typeof createFeatures>;

/** Puts the features together from the bottom up: each may use those before it. */
export function createFeatures(given: FeatureDeps) {
  const db = { ...given.db, confirmsEmails: given.mail.leaves };
  const deps: Deps = {
    ...given,
    db,
    newId: given.newId ?? freshId,
    publish: given.hints.publish,
    secret: given.secrets.authSecret,
    lagging: db.hasReplica ? { ...db, ...db.lagging } : db,
  };
  const { limits, writes, ...base } = createBaseFeatures(deps);
  const notificationFeatures = createNotificationFeatures({ ...deps, ...base });
  const baseDeps = {
    ...deps,
    ...base,
    limits,
    writes,
    notifications: notificationFeatures.notifications,
  };
  const posts = createPostsDistrict({ ...baseDeps, kinds: [accountOfSession, accountOfApp] });
  const people = createPeopleFeatures({ ...baseDeps, images: posts.images });
  const { twoFactor, notifySuspended, ...identity } = createIdentityFeatures({
    ...baseDeps,
    ...posts,
    ...people,
  });
  const talk = createTalkFeatures({ ...baseDeps, ...posts, ...people });
  const earlier = {
    ...baseDeps,
    ...posts,
    ...people,
    ...identity,
    ...talk,
    twoFactor,
    notifySuspended,
  };
  const archive = createArchiveFeatures(earlier);
  const { publicUrl } = deps.config;
  const administrationFeatures = createAdministrationFeatures({ ...earlier, ...archive });
  return {
    ...base,
    ...notificationFeatures,
    ...posts,
    ...people,
    ...identity,
    ...talk,
    ...archive,
    sharedLinks: createSharedLinks({ ...baseDeps, publicUrl: publicUrl.replace(/\/$/, "") }),
    guests: createGuests({ ...baseDeps, secure: publicUrl.startsWith("https:") }),
    ...administrationFeatures,
    ...createCompat(earlier),
    idempotency: createIdempotency({ db }),
  };
}

type PostsFeatures = ReturnType<typeof createPostsDistrict>;

function createPeopleFeatures(deps: BaseDeps & Pick<PostsFeatures, "images">) {
  const { db, lagging, newId, secret, notifications, images, log } = deps;
  const search = createSearch({ db: lagging, secret, limited: deps.config.rateLimits });
  const followRequests = createFollowRequests({ ...deps, db: lagging });
  const checkLinks = createVerifiedLinks(deps).begin;
  return {
    accounts: createAccounts({ db: lagging }),
    blocks: createBlocks({
      db,
      newId,
      onBlock: ({ accountId, otherId }) => notifications.retract.between(accountId, otherId),
    }),
    follows: createFollows({ ...deps, db: lagging }),
    relations: createRelations({ db }),
    followRequests,
    privacy: createPrivacy({ db, followRequests, narrow: narrowPostsPossible(deps.config) }),
    notes: createNotes({ db, newId }),
    closeFriends: createCloseFriends({ db: lagging, newId, search }),
    search,
    elsewhere: createElsewhere({ db: lagging, limits: deps.limits }),
    profiles: createProfiles({ db: lagging, images, log, checkLinks }),
    settings: createSettings({ db, languages: deps.config.languages ?? [] }),
    mutedWords: createMutedWords({ db, onMuted: notifications.readMuted }),
    wordFilters: createWordFilters({ db, newId, onMuted: notifications.readMuted }),
  };
}

type PeopleFeatures = ReturnType<typeof createPeopleFeatures>;

function createIdentityFeatures(
  deps: BaseDeps & Pick<PostsFeatures, "visitorUploads"> & Pick<PeopleFeatures, "follows">,
) {
  const { db, log, newId, secret, jobs, limits } = deps;
  const twoFactor = createTwoFactor({ db, log, secret });
  const { notifyOwner, notifySuspended } = createSecurityMails(deps);
  const apps = createApps({
    db,
    log,
    newId,
    countRegistration: (network) => limits.count("app-registrations", network),
  });
  const identity = createIdentity({
    ...deps,
    endApps: apps.endAll,
    images: deps.visitorUploads.forSignUp,
    twoFactor,
    admission: deps.invitations,
    welcome: (accountId) => jobs.add(mailJobs.confirmAddress, { accountId, ...pageLanguage() }),
    notifyOwner,
  });
  return {
    twoFactor,
    notifySuspended,
    apps,
    identity,
    verification: createVerification({ ...deps, identity }),
    providers: createProviders({ ...deps, identity }),
  };
}

function createTalkFeatures(
  deps: BaseDeps & Pick<PostsFeatures, "references"> & Pick<PeopleFeatures, "relations">,
) {
  const { db, hints, log, references, relations, operatorSettings, limits } = deps;
  const store = deps.privateStore;
  const countFailure = (accountId: string) => limits.count("picture-failures", accountId);
  return {
    chat: createChat({ ...deps, store, countFailure }),
    importedConversations: createImportedConversations({ ...deps, store }),
    live: createLive({
      db,
      hints,
      log,
      references,
      relations,
      // Live updates may be too new for a replica.
      explore: createExplore({ db, settings: operatorSettings }),
    }),
  };
}

type EarlierFeatures = BaseDeps &
  PostsFeatures &
  PeopleFeatures &
  ReturnType<typeof createIdentityFeatures> &
  ReturnType<typeof createTalkFeatures>;

/** Exports, imports and the deletion of an account. */
function createArchiveFeatures(deps: EarlierFeatures) {
  const { homeLists, follows, likes, commentLikes, comments, bookmarks, posts, images } = deps;
  const exports = createExports(deps);
  const imports = createImports(deps);
  const deviceImports = createDeviceImports(deps);
  const deletion = createDeletion({
    ...deps,
    owners: [homeLists, follows, likes, commentLikes, comments, bookmarks, posts, images],
    exports,
    imports,
    uploads: deps.resumableUploads,
  });
  return { exports, imports, deviceImports, deletion };
}

/** For moderators and operators. */
function createAdministrationFeatures(
  given: EarlierFeatures & ReturnType<typeof createArchiveFeatures>,
) {
  const { db, secret, operatorSettings } = given;
  const deps = { ...given, notices: given.notifications.notices };
  const moderation = createModeration(deps);
  const administration = createAdministration({ ...deps, moderation });
  return {
    troubles: createTroubles({ ...deps, operators: () => operators(db) }),
    reports: createReports(deps),
    moderation,
    administration,
    firstOperator: createFirstOperator({ db, administration }),
    dashboard: createDashboard({
      ...deps,
      administration,
      settings: operatorSettings,
      issueResetLink: deps.verification.issueResetLink,
    }),
    doctorPass: createDoctorPass({ secret }),
  };
}
