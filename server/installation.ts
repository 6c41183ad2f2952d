import type { Logger } from "pino";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import { openMail } from "#server/adapters/mail/open-mail.ts";
import { openGround, type Opens } from "#server/platform/admin/open.ts";
import type { Config } from "#server/config.ts";
import { noHints } from "#server/platform/db/hints.ts";
import type { NewId } from "#server/platform/db/ids.ts";
import { sampleImageKeys } from "#server/features/administration/index.ts";
import { createFeatures } from "#server/features/index.ts";
import { hasAccounts } from "#server/features/people/index.ts";

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

type Options = {
  newId?: NewId;
  /** for invented people: nobody is sent anything */
  isDemo?: boolean;
  opens?: Opens | null;
};

/** Opens the installation of a configuration for a command. Throws an Error with one sentence. */
export async function openInstallation(
  config: Config,
  log: Logger,
  { newId, isDemo = false, opens = null }: Options = {},
) {
  const product = { isInUse: hasAccounts, someKeys: sampleImageKeys };
  const ground = await openGround(config, log, product, opens);
  try {
    const { db, secrets, privateStore, files } = ground;
    // Invented people are not sent anything.
    const jobs = isDemo ? { ...ground.jobs, add: async () => {} } : ground.jobs;
    // If a public image host has the images of real people, those of invented people stay on this disk.
    const store =
      isDemo && config.imageStore.kind === "imgbb"
        ? createDiskStore({ dataDir: config.dataDir })
        : ground.store;
    const features = createFeatures({
      db,
      log,
      // The limits are for strangers, not for the operator.
      config: { ...config, rateLimits: false },
      secrets,
      store,
      privateStore,
      files,
      // A running server notices changes by itself, within seconds.
      hints: noHints,
      jobs,
      mail: openMail({ config, files, jobs, log }),
      isDemo,
      ...(newId && { newId }),
    });
    return { ...ground, jobs, store, features, publicUrl: config.publicUrl };
  } catch (error) {
    await ground.close();
    throw error;
  }
}
