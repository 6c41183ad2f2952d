import { newId as freshId } from "#server/db/ids.ts";
import {
  createAdministration,
  createDesk,
  createDoctorPass,
  createFirstOperator,
  createTroubles,
} from "#server/features/administration/index.ts";
import { createDeletion } from "#server/features/deletion/index.ts";
import { createModeration, createReports } from "#server/features/moderation/index.ts";
import { createExports, createImports } from "#server/features/archive/index.ts";
import {
  createAccounts,
  createBlocks,
  createFollows,
  createMutedWords,
  createProfiles,
  createRelations,
  createSearch,
  createSettings,
} from "#server/features/people/index.ts";
import { createExplore, createPostsDistrict } from "#server/features/posts/index.ts";
import { createChat, createImportedThreads, createLive } from "#server/features/talk/index.ts";
import { createChanges } from "#server/compat/documents/changes.ts";
import { createConversations } from "#server/compat/documents/conversations.ts";
import { createDocuments } from "#server/compat/documents/documents.ts";
import { createThreads } from "#server/compat/documents/threads.ts";
import { createApps } from "#server/features/apps/index.ts";
import { createIdempotency } from "#server/features/idempotency/idempotency.ts";
import {
  createIdentity,
  createNotices,
  createProviders,
  createTwoFactor,
  createVerification,
  deliveries,
} from "#server/features/identity/index.ts";
import {
  createGround,
  createTelling,
  type Below,
  type Deps,
  type FeatureDeps,
} from "#server/features/ground.ts";

/** The product's rules, as both faces (screens and programs) call them. */
export type Features = ReturnType<typeof createFeatures>;

/** Puts the features together, from the ground up: each may use those before it. */
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
  const { limits, writes, ...ground } = createGround(deps);
  const telling = createTelling({ ...deps, ...ground });
  const below = { ...deps, ...ground, limits, writes, notifications: telling.notifications };
  const posts = createPostsDistrict(below);
  const people = createPeople({ ...below, images: posts.images });
  const { twoFactor, tellSuspended, ...identity } = createIdentityFeatures({
    ...below,
    ...posts,
    ...people,
  });
  const talk = createTalk({ ...below, ...posts, ...people });
  const known = { ...below, ...posts, ...people, ...identity, ...talk, twoFactor, tellSuspended };
  const archive = createArchive(known);
  const office = createOffice({ ...known, ...archive });
  return {
    ...ground,
    ...telling,
    ...posts,
    ...people,
    ...identity,
    ...talk,
    ...archive,
    ...office,
    ...createCompat(known),
  };
}

type Posts = ReturnType<typeof createPostsDistrict>;

function createPeople(deps: Below & Pick<Posts, "images">) {
  const { db, lagging, newId, secret, notifications, images, log } = deps;
  return {
    accounts: createAccounts({ db: lagging }),
    blocks: createBlocks({
      db,
      newId,
      onBlock: ({ accountId, otherId }) => notifications.retract.between(accountId, otherId),
    }),
    follows: createFollows({ ...deps, db: lagging }),
    relations: createRelations({ db }),
    search: createSearch({ db: lagging, secret, limited: deps.config.rateLimits }),
    profiles: createProfiles({ db: lagging, images, log }),
    settings: createSettings({ db }),
    mutedWords: createMutedWords({ db, onMuted: notifications.readMuted }),
  };
}

type People = ReturnType<typeof createPeople>;

function createIdentityFeatures(
  deps: Below & Pick<Posts, "visitorUploads"> & Pick<People, "follows">,
) {
  const { db, log, newId, secret, jobs, limits } = deps;
  const twoFactor = createTwoFactor({ db, log, secret });
  const { tellOwner, tellSuspended } = createNotices(deps);
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
    welcome: (accountId) => jobs.add(deliveries.confirmAddress, { accountId }),
    tellOwner,
  });
  return {
    twoFactor,
    tellSuspended,
    apps,
    identity,
    verification: createVerification({ ...deps, identity }),
    providers: createProviders({ ...deps, identity }),
  };
}

function createTalk(deps: Below & Pick<Posts, "references"> & Pick<People, "relations">) {
  const { db, hints, log, references, relations, operatorSettings, limits } = deps;
  const store = deps.privateStore;
  const countFailure = (accountId: string) => limits.count("picture-failures", accountId);
  return {
    chat: createChat({ ...deps, store, countFailure }),
    importedThreads: createImportedThreads({ ...deps, store }),
    live: createLive({
      db,
      hints,
      log,
      references,
      relations,
      // What is told as it happens may be too new for a replica.
      explore: createExplore({ db, settings: operatorSettings }),
    }),
  };
}

type Known = Below &
  Posts &
  People &
  ReturnType<typeof createIdentityFeatures> &
  ReturnType<typeof createTalk>;

/** What an account takes along, brings along, and leaves behind. */
function createArchive(deps: Known) {
  const { homeLists, follows, likes, commentLikes, comments, bookmarks, posts, images } = deps;
  const exports = createExports(deps);
  const imports = createImports(deps);
  const deletion = createDeletion({
    ...deps,
    owners: [homeLists, follows, likes, commentLikes, comments, bookmarks, posts, images],
    exports,
    imports,
    uploads: deps.resumableUploads,
  });
  return { exports, imports, deletion };
}

/** For moderators and operators. */
function createOffice(given: Known & ReturnType<typeof createArchive>) {
  const { db, secret, operatorSettings } = given;
  const deps = { ...given, notices: given.notifications.notices };
  const moderation = createModeration(deps);
  const administration = createAdministration({ ...deps, moderation });
  return {
    troubles: createTroubles(deps),
    reports: createReports(deps),
    moderation,
    administration,
    firstOperator: createFirstOperator({ db, administration }),
    desk: createDesk({
      ...deps,
      administration,
      settings: operatorSettings,
      issueResetLink: deps.verification.issueResetLink,
    }),
    doctorPass: createDoctorPass({ secret }),
  };
}

/** The specification's whole arrays. */
function createCompat(deps: Known) {
  const { db, comments, chat, config, visitorUploads } = deps;
  const picturesUrl = config.imageBaseUrl ?? config.publicUrl;
  const documents = createDocuments({ db, picturesUrl });
  return {
    documents,
    changes: createChanges({ ...deps, documents, pictureAt: visitorUploads.resolveAddress }),
    threads: createThreads({ db, comments, picturesUrl }),
    conversations: createConversations({ db, chat }),
    idempotency: createIdempotency({ db }),
  };
}
