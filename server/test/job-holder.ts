// A program for the tests of background jobs: takes one and never finishes it.
import { createDatabase } from "#server/platform/db/database.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { createLog } from "#server/platform/log.ts";

const [connection = "{}", name = ""] = process.argv.slice(2);
const log = createLog("info");
const jobs = createJobs({ db: createDatabase({ connection: JSON.parse(connection), log }), log });

jobs.handle(name, async () => {
  process.stdout.write("begun\n");
  await new Promise(() => {});
});
await jobs.start();
setInterval(() => {}, 60_000);
