import { realpathSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setUp } from "#server/platform/db/embedded-postgres.ts";
import { halt, whileRunning } from "#server/platform/db/postgres-server.ts";
import { parsePosition } from "#server/platform/db/wal-segments.ts";

type Replay = {
  dataDir: string;
  /** the folder beside the data directory that has the segments of the log */
  segments: string;
  /** the moment to stop at; null: replays all there is */
  to: Date | null;
  overrides?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
};

/** Replaying weeks of a log takes hours, and PostgreSQL ends by itself if it cannot go on. */
const replayMs = Number.MAX_SAFE_INTEGER;
/** No transaction was committed between the moment and the end of the log: the end is as it was then. */
const endedBefore = /recovery ended before configured recovery target was reached/;

/**
 * Has PostgreSQL replay the segments of its log into a copy of its data directory, until it may be used, and
 * stops it. The directory has a recovery.signal and a backup_label. Returns the position in the log at which
 * it ended. Throws an Error with one sentence.
 */
export async function replayLog(replay: Replay): Promise<bigint> {
  const { dataDir, segments, to, overrides, signal } = replay;
  const home = realpathSync(join(dataDir, "postgres"));
  const settings = {
    ...overrides,
    // Until then nobody may look: the pages are of different moments.
    hot_standby: "off",
    // PostgreSQL works in its data directory.
    restore_command: `cp "../${segments}/%f" "%p"`,
  };
  const stopsAt = {
    // No names of time zones are known yet, not even Z.
    recovery_target_time: to?.toISOString().replace("Z", "+00") ?? "",
    recovery_target_action: "promote",
  };
  const run = async (more: Record<string, string>) => {
    const setup = { ...(await setUp(home, { overrides: { ...settings, ...more } })), replayMs };
    const onAbort = () => void halt(setup.cluster);
    signal?.throwIfAborted();
    signal?.addEventListener("abort", onAbort);
    const replayed = whileRunning(setup, async () => {});
    await replayed.finally(() => signal?.removeEventListener("abort", onAbort));
    signal?.throwIfAborted();
    return endOfReplay(setup.cluster);
  };
  if (to === null) return run({});
  try {
    return await run(stopsAt);
  } catch (error) {
    if (signal?.aborted || !endedBefore.test((error as Error).message)) throw error;
    return run({});
  }
}

/** Where the new timeline begins, as its history says: the last line names the one before, and its end. */
function endOfReplay(cluster: string): bigint {
  const log = join(cluster, "pg_wal");
  const [newest = ""] = readdirSync(log)
    .filter((name) => name.endsWith(".history"))
    .toSorted()
    .toReversed();
  const lines = readFileSync(join(log, newest), "utf8").trim().split("\n");
  return parsePosition(lines.at(-1)?.split("\t")[1] ?? "");
}
