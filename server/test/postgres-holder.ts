// A program for the launcher's tests: claims a data folder, runs its PostgreSQL, prints where it is, and
// stops both on SIGTERM.
import { claimDataDir } from "#server/platform/data-dir.ts";
import { startEmbeddedPostgres } from "#server/platform/db/embedded-postgres.ts";
import { runService } from "#server/platform/lifecycle.ts";
import { createLog } from "#server/platform/log.ts";

const [dataDir = "", archives = ""] = process.argv.slice(2);
const log = createLog("info");

await runService({
  log,
  start: async ({ onStop, giveUp }) => {
    const claim = claimDataDir(dataDir);
    onStop("data folder", claim.release);
    const postgres = await startEmbeddedPostgres({
      dataDir,
      log,
      onLost: giveUp,
      archives: archives !== "",
    });
    onStop("PostgreSQL", postgres.stop);
    return postgres.connection.host;
  },
});
