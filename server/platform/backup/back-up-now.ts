import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startInspection } from "#server/platform/backup/folder.ts";

const program = fileURLToPath(new URL("../../admin.ts", import.meta.url));

/**
 * Starts a backup into BACKUP_DIR in a process of its own, which drills it, removes old ones, logs by itself and
 * writes down what became of it. It stops when this process ends, however that happens: the channel between
 * the two closes.
 */
export function backUpNow(): void {
  const child = spawn(process.execPath, [program, "backup", "--scheduled", "--now"], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  // Operators see it at once, not at the next inspection.
  child.once("exit", () => void startInspection().unref());
  child.on("error", () => {});
  child.unref();
  child.channel?.unref();
}
