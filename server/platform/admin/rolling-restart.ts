import { printLine } from "#server/platform/admin/print.ts";
import type { Config } from "#server/config.ts";
import { claimFreeDataDir } from "#server/platform/data-dir.ts";
import { askForRoll } from "#server/platform/processes/rolling-restart-socket.ts";

/** Asks the server of DATA_DIR to replace its processes, and waits until it has. */
export async function roll({ dataDir }: Config): Promise<number> {
  const outcome = await askForRoll(dataDir);
  if (!outcome) throw new Error(whyNobodyAnswered(dataDir));
  if (outcome.failed !== null) {
    throw new Error(`Not finished; the processes that were not replaced go on. ${outcome.failed}`);
  }
  printLine("All processes were replaced, one after another.");
  return 0;
}

function whyNobodyAnswered(dataDir: string): string {
  const claim = claimFreeDataDir(dataDir);
  claim?.release();
  if (claim) return `No Postcard runs on ${dataDir}: npm start starts one.`;
  return (
    "This Postcard is one process, which cannot be replaced while it serves, or it is just starting: " +
    "restart it, or set PROCESSES to 2 or more and restart it once."
  );
}
