import { join } from "node:path";
import type { Logger } from "pino";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { Mail } from "#server/adapters/mail/mail.ts";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import { createPushSender, type PushSender } from "#server/adapters/push/push.ts";
import type { Config } from "#server/config.ts";
import type { Secrets } from "#server/data-dir.ts";
import type { Database } from "#server/db/database.ts";
import type { Hints } from "#server/db/hints.ts";
import { newId as freshId, type NewId } from "#server/db/ids.ts";
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
import {
  createAltSuggestions,
  createBackgroundAvif,
  createBookmarks,
  createCommentLikes,
  createComments,
  createExplore,
  createFeed,
  createHomeLists,
  createImages,
  createLikes,
  createPosts,
  createReferences,
  createLargePictures,
  createResumableUploads,
  createSuggestions,
  createTags,
  createVisitorUploads,
} from "#server/features/posts/index.ts";
import {
  appPushLater,
  createAppPush,
  createChat,
  createDigest,
  createImportedThreads,
  createLive,
  createNotifications,
  createPush,
  pushLater,
} from "#server/features/talk/index.ts";
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
  createAttemptLimits,
  createStorage,
  createWriteRates,
} from "#server/features/limits/index.ts";
import {
  createInvitations,
  createOperatorSettings,
  createPlace,
  createUsage,
} from "#server/features/operator/index.ts";
import { freeBytesIn } from "#server/free-bytes.ts";
import type { Jobs } from "#server/jobs.ts";

export type FeatureDeps = {
  db: Database;
  log: Logger;
  config: Pick<Config, "publicUrl" | "origins" | "rateLimits" | "dataDir"> &
    Partial<Pick<Config, "providers" | "imageBaseUrl" | "imageStore">>;
  secrets: Secrets;
  store: ImageStore;
  /** pictures of messages: nothing is served from it but to their two members */
  privateStore: ImageStore;
  /** archives, and photos that arrive in parts: only this product reads them */
  files: PrivateFiles;
  /** what tells this process's streams and other processes that something changed */
  hints: Hints;
  /** Background work: features add it and say how it is done. */
  jobs: Jobs;
  mail: Mail;
  /** Tests have a push service of their own. */
  pushSender?: PushSender;
  /** Ids carry their moment: the demo town gets its past through this. No request reaches it. */
  newId?: NewId;
  /** The demo's people are made up: they come in whatever the operator decided about strangers. */
  madeUp?: boolean;
  /** How identity providers are asked; tests answer for those that no test can reach. */
  providerFetch?: typeof fetch;
  /** Tests have disks of any size. */
  freeBytes?: (folder: string) => Promise<number>;
  /** Tests have short turns. */
  importTurnMs?: number;
};

/** The product's rules, as both faces (screens and programs) call them. */
export type Features = ReturnType<typeof createFeatures>;

/** Puts the features together, from the ground up: each may use those before it. */
export function createFeatures(given: FeatureDeps) {
  const deps = { ...given, db: { ...given.db, confirmsEmails: given.mail.leaves } };
  const { db, log, store, jobs, hints, newId = freshId } = deps;
  // People and posts may be read as of some seconds ago, if a replica has them (docs/decisions/0188).
  const lagging = db.hasReplica ? { ...db, ...db.lagging } : db;
  const { publish } = hints;
  const operatorSettings = createOperatorSettings({ db });
  const place = createPlace({ settings: operatorSettings });
  const usage = createUsage({ db: lagging });
  const accounts = createAccounts({ db: lagging });
  const notifications = createNotifications({
    db,
    mails: deps.mail.leaves,
    onPush: pushLater(deps.jobs),
    onAppPush: appPushLater(deps.jobs),
    publish,
  });
  const sender =
    deps.pushSender ??
    createPushSender({ keys: deps.secrets.vapid, publicUrl: deps.config.publicUrl });
  const pushDeps = { db, jobs: deps.jobs, sender, findUnread: notifications.findUnread };
  const push = createPush(pushDeps);
  const appPush = createAppPush(pushDeps);
  const digest = createDigest({
    db,
    mail: deps.mail,
    secret: deps.secrets.authSecret,
    publicUrl: deps.config.publicUrl,
    place,
  });
  const blocks = createBlocks({
    db,
    newId,
    onBlock: ({ accountId, otherId }) => notifications.retract.between(accountId, otherId),
  });
  const { origins, publicUrl, rateLimits } = deps.config;
  const picturesUrl = deps.config.imageBaseUrl ?? publicUrl;
  const secret = deps.secrets.authSecret;
  const writes = createWriteRates({ db, secret, enabled: rateLimits, mails: deps.mail.leaves });
  const { dataDir, imageStore } = deps.config;
  const onDisk = imageStore === undefined || imageStore.kind === "disk";
  const { freeBytes = freeBytesIn } = deps;
  const storage = createStorage({ db, freeBytes: onDisk ? () => freeBytes(dataDir) : null });
  const limits = createAttemptLimits({ db, secret, enabled: rateLimits });
  const countFailure = (accountId: string) => limits.count("picture-failures", accountId);
  const largePictures = createLargePictures({
    db,
    store,
    log,
    folder: join(dataDir, "tmp"),
    count: (sender) => limits.count("large-pictures", sender),
  });
  const avif = createBackgroundAvif({ db, store, jobs, dataDir, log });
  const images = createImages({
    db,
    store,
    log,
    countFailure,
    writes,
    storage,
    onClaim: avif.begin,
  });
  const visitorUploads = createVisitorUploads({
    db,
    images,
    origins,
    publicUrl,
    picturesUrl,
    secret,
    storage,
    countUpload: (network) => limits.count("visitor-uploads", network),
  });
  const resumableUploads = createResumableUploads({
    db,
    images,
    writes,
    storage,
    log,
    newId,
    files: deps.files,
    tmp: join(dataDir, "tmp"),
  });
  const invitations = createInvitations({
    db,
    secret,
    settings: operatorSettings,
    everybody: deps.madeUp ?? false,
  });
  const twoFactor = createTwoFactor({ db, log, secret });
  const { tellOwner, tellSuspended } = createNotices({ ...deps, place });
  const apps = createApps({
    db,
    log,
    newId,
    countRegistration: (network) => limits.count("app-registrations", network),
  });
  const identity = createIdentity({
    ...deps,
    endApps: apps.endAll,
    images: visitorUploads.forSignUp,
    twoFactor,
    admission: invitations,
    welcome: (accountId) => jobs.add(deliveries.confirmAddress, { accountId }),
    tellOwner,
  });
  const verification = createVerification({ ...deps, place, identity, limits });
  const follows = createFollows({ db: lagging, notifications, writes, publish, log, newId });
  const providers = createProviders({ ...deps, identity, follows });
  const homeLists = createHomeLists({ db, log });
  const posts = createPosts({
    db: lagging,
    images,
    notifications,
    writes,
    log,
    publish,
    newId,
    onPosted: () => homeLists.wake(),
  });
  const references = createReferences({ db });
  const relations = createRelations({ db });
  const altSuggestions = createAltSuggestions({ db: lagging, posts, notifications, writes, newId });
  const likes = createLikes({ db: lagging, notifications, publish, newId });
  const comments = createComments({ db: lagging, notifications, writes, publish, newId });
  const commentLikes = createCommentLikes({ db: lagging, notifications, newId });
  const bookmarks = createBookmarks({ db: lagging, newId });
  const feed = createFeed({ db: lagging, lists: homeLists });
  const explore = createExplore({ db: lagging, settings: operatorSettings });
  const suggestions = createSuggestions({ db: lagging, newId });
  const tags = createTags({ db: lagging });
  const search = createSearch({
    db: lagging,
    secret: deps.secrets.authSecret,
    limited: deps.config.rateLimits,
  });
  const profiles = createProfiles({ db: lagging, images, log });
  const settings = createSettings({ db });
  const mutedWords = createMutedWords({ db, onMuted: notifications.readMuted });
  const chat = createChat({
    db,
    store: deps.privateStore,
    notifications,
    writes,
    storage,
    publish,
    log,
    newId,
    countFailure,
  });
  const importedThreads = createImportedThreads({ db, store: deps.privateStore, log, storage });
  const live = createLive({
    db,
    hints,
    log,
    references,
    relations,
    // What is told as it happens may be too new for a replica.
    explore: createExplore({ db, settings: operatorSettings }),
  });
  const exports = createExports({ ...deps, place, identity });
  const imports = createImports({ ...deps, images, importedThreads });
  const deletion = createDeletion({
    db,
    log,
    identity,
    search,
    jobs: deps.jobs,
    owners: [homeLists, follows, likes, commentLikes, comments, bookmarks, posts, images],
    chat,
    exports,
    imports,
    uploads: resumableUploads,
  });
  const { notices } = notifications;
  const troubles = createTroubles({ ...deps, notices, place });
  const reports = createReports({ ...deps, notices, writes });
  const moderation = createModeration({
    ...deps,
    identity,
    posts,
    comments,
    chat,
    notices,
    tellSuspended,
  });
  const administration = createAdministration({ db, identity, moderation, twoFactor, deletion });
  const firstOperator = createFirstOperator({ db, administration });
  const desk = createDesk({
    db,
    administration,
    identity,
    invitations,
    settings: operatorSettings,
    storage,
    jobs,
    issueResetLink: verification.issueResetLink,
  });
  const doctorPass = createDoctorPass({ secret });
  const documents = createDocuments({ db, picturesUrl });
  const changes = createChanges({
    db,
    documents,
    follows,
    posts,
    likes,
    bookmarks,
    profiles,
    pictureAt: visitorUploads.resolveAddress,
  });
  const threads = createThreads({ db, comments, picturesUrl });
  const conversations = createConversations({ db, chat });
  const idempotency = createIdempotency({ db });
  return {
    operatorSettings,
    place,
    usage,
    invitations,
    storage,
    accounts,
    blocks,
    images,
    visitorUploads,
    largePictures,
    resumableUploads,
    identity,
    apps,
    verification,
    providers,
    notifications,
    push,
    appPush,
    digest,
    follows,
    posts,
    altSuggestions,
    likes,
    comments,
    commentLikes,
    bookmarks,
    feed,
    homeLists,
    explore,
    suggestions,
    tags,
    search,
    profiles,
    references,
    relations,
    settings,
    mutedWords,
    chat,
    importedThreads,
    live,
    exports,
    imports,
    deletion,
    reports,
    moderation,
    administration,
    firstOperator,
    troubles,
    desk,
    doctorPass,
    documents,
    changes,
    threads,
    conversations,
    idempotency,
  };
}
