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
  /** of people who are made up: nobody is written to */
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
    // People who are made up are not written to.
    const jobs = isDemo ? { ...ground.jobs, add: async () => {} } : ground.jobs;
    // What is made up stays here when strangers keep the pictures of people.
    const store =
      isDemo && config.imageStore.kind === "imgbb"
        ? createDiskStore({ dataDir: config.dataDir })
        : ground.store;
    const features = createFeatures({
      db,
      log,
      // The limits are there for strangers, not for whoever owns the machine.
      config: { ...config, rateLimits: false },
      secrets,
      store,
      privateStore,
      files,
      // A running server finds what changed by itself, within seconds.
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
