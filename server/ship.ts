import { imageTables } from "#server/features/image-tables.ts";
import { readConfig } from "#server/config.ts";
import { runContinuous } from "#server/platform/admin/continuous.ts";

// Ships PostgreSQL's log to BACKUP_DIR once: the server runs it (server/platform/backup/continuous.ts). Apart from
// admin.ts, whose commands take longer to load than this works.
process.exitCode = await runContinuous(readConfig(), imageTables);
