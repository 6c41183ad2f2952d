// The release before starts its look into BACKUP_DIR here, while its processes are replaced. Goes with the next.
import "#server/platform/backup/inspect-folder-program.ts";
