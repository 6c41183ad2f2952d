// A program for the tests of archives: does the background work of an installation slowly and prints each
// step, so that it can be killed in between.
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig } from "pg";
import { pino } from "pino";
import { openStores } from "#server/adapters/image-store/open.ts";
import type { ImageStoreSettings } from "#server/adapters/image-store/settings.ts";
import { openMail } from "#server/adapters/mail/open-mail.ts";
import { makeVapidKeys } from "#server/adapters/push/push.ts";
import { createDatabase } from "#server/platform/db/database.ts";
import { noHints } from "#server/platform/db/hints.ts";
import { createFeatures } from "#server/features/index.ts";
import { createJobs } from "#server/platform/jobs.ts";

const [connection = "", dataDir = "", accountId = "", settings = ""] = process.argv.slice(2);
const log = pino({ level: "silent" });
const db = createDatabase({ connection: JSON.parse(connection) as ClientConfig, log });
const kept = JSON.parse(settings) as ImageStoreSettings;
const { store: real, privateStore, files } = openStores(dataDir, kept, log);

async function step(): Promise<void> {
  process.stdout.write("step\n");
  await sleep(30);
}

const store: typeof real = {
  ...real,
  put: async (...args) => {
    await step();
    await real.put(...args);
    await step();
  },
  openOriginal: async (key) => {
    await step();
    return real.openOriginal(key);
  },
  remove: async (keys) => {
    await step();
    await real.remove(keys);
    await step();
  },
};
const jobs = createJobs({ db, log });
const publicUrl = "http://localhost:3000";
const mailFrom = { name: "", address: "postcard@localhost" };
const features = createFeatures({
  db,
  log,
  store,
  privateStore,
  files,
  hints: noHints,
  jobs,
  mail: openMail({ config: { smtpUrl: null, mailFrom }, files, jobs, log }),
  config: { publicUrl, origins: [publicUrl], rateLimits: false, dataDir },
  secrets: {
    authSecret: "a secret of tests, long enough and used nowhere else",
    vapid: makeVapidKeys(),
  },
});

// A deletion prints its batches; exports and imports print their images.
const onBatch = () => process.stdout.write("step\n");
if (accountId) await features.deletion.deleteAccount(accountId, { onBatch });
else await jobs.runDue();
process.stdout.write("done\n");
await jobs.stop();
await db.close();
