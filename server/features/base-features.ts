import type { Logger } from "pino";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { Mail } from "#server/adapters/mail/mail.ts";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import type { PageReader } from "#server/adapters/page-reader/page-reader.ts";
import type { PhotoFetcher } from "#server/adapters/photo-fetcher/photo-fetcher.ts";
import { createPushSender, type PushSender } from "#server/adapters/push/push.ts";
import type { Config } from "#server/config.ts";
import type { Secrets } from "#server/platform/data-dir.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Hints, Publish } from "#server/features/change-hint.ts";
import { type NewId } from "#server/platform/db/ids.ts";
import {
  enqueueAppPush,
  createAppPush,
  createDigest,
  createNotifications,
  createPush,
  enqueuePush,
} from "#server/features/talk/index.ts";
import {
  createAttemptLimits,
  createStorage,
  createWriteRates,
} from "#server/features/limits/index.ts";
import {
  createFirstDay,
  createInvitations,
  createOperatorSettings,
  createSite,
  createUsage,
} from "#server/features/operator/index.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";
import type { Jobs } from "#server/platform/jobs.ts";

export type FeatureDeps = {
  db: Database;
  log: Logger;
  config: Pick<Config, "publicUrl" | "origins" | "rateLimits" | "dataDir"> &
    Partial<
      Pick<Config, "providers" | "languages" | "imageBaseUrl" | "imageStore" | "imageStoreFrom">
    >;
  secrets: Secrets;
  store: ImageStore;
  /** images in messages: served only to the two members of the conversation */
  privateStore: ImageStore;
  /** archives, and photos that arrive in parts: only this product reads them */
  files: PrivateFiles;
  /** notifies this process's streams and other processes of changes */
  hints: Hints;
  /** Background work: features add jobs and register how they are done. */
  jobs: Jobs;
  mail: Mail;
  /** Tests have a push service of their own. */
  pushSender?: PushSender;
  /** and pages that link to their members. */
  pageReader?: PageReader;
  /** Tests have their photos on this machine. */
  photoFetcher?: PhotoFetcher;
  /** Ids contain their time: the demo town gets its past through this. Requests cannot reach it. */
  newId?: NewId;
  /** The demo's people are made up: they join whatever the operator decided about sign-ups. */
  isDemo?: boolean;
  /** How identity providers are called; tests answer for those that they cannot reach. */
  providerFetch?: typeof fetch;
  /** Tests have disks of any size. */
  freeBytes?: (folder: string) => Promise<number>;
  /** Tests have short turns. */
  importTurnMs?: number;
};

export type Deps = FeatureDeps & {
  newId: NewId;
  publish: Publish;
  secret: string;
  /** People and posts may be read as of some seconds ago, if there is a replica (docs/decisions/0188). */
  lagging: Database;
};

/** What the operator sets, and how much each member may do. */
export function createBaseFeatures({ db, lagging, secret, mail, isDemo = false, ...deps }: Deps) {
  const { rateLimits, dataDir, imageStore } = deps.config;
  const { freeBytes = freeBytesIn } = deps;
  const onDisk = imageStore === undefined || imageStore.kind === "disk";
  const operatorSettings = createOperatorSettings({ db });
  return {
    operatorSettings,
    site: createSite({ settings: operatorSettings }),
    usage: createUsage({ db: lagging }),
    firstDay: createFirstDay({ db, settings: operatorSettings }),
    invitations: createInvitations({ db, secret, settings: operatorSettings, alwaysOpen: isDemo }),
    limits: createAttemptLimits({ db, secret, enabled: rateLimits }),
    writes: createWriteRates({ db, secret, enabled: rateLimits, mails: mail.leaves }),
    storage: createStorage({ db, freeBytes: onDisk ? () => freeBytes(dataDir) : null }),
  };
}

type BaseFeatures = Deps & ReturnType<typeof createBaseFeatures>;

/** How members are notified of what others do. */
export function createNotificationFeatures({
  db,
  jobs,
  mail,
  publish,
  site,
  secret,
  ...deps
}: Deps & Pick<BaseFeatures, "site">) {
  const { publicUrl, languages = [] } = deps.config;
  const notifications = createNotifications({
    db,
    mails: mail.leaves,
    onPush: enqueuePush(jobs),
    onAppPush: enqueueAppPush(jobs),
    publish,
  });
  const sender = deps.pushSender ?? createPushSender({ keys: deps.secrets.vapid, publicUrl });
  const pushDeps = { db, jobs, sender, findUnread: notifications.findUnread, languages };
  return {
    notifications,
    push: createPush(pushDeps),
    appPush: createAppPush({ ...pushDeps, secret }),
    digest: createDigest({ db, mail, secret, publicUrl, site, languages }),
  };
}

/** What the districts above may use. */
export type BaseDeps = BaseFeatures &
  Pick<ReturnType<typeof createNotificationFeatures>, "notifications">;
