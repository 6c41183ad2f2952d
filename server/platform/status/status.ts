import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { z } from "zod";
import type { ImageStores } from "#server/adapters/image-store/open.ts";
import { backUpNow } from "#server/platform/backup/schedule.ts";
import { readContinuous } from "#server/platform/backup/continuous-state.ts";
import { isBackingUp } from "#server/platform/backup/folder.queries.ts";
import { readFolder, unseenFolder } from "#server/platform/backup/folder.ts";
import { restoreCommands } from "#server/platform/backup/restore-commands.ts";
import type { Config } from "#server/config.ts";
import { readDatabaseHealth } from "#server/platform/db/health.ts";
import type { Database } from "#server/platform/db/database.ts";
import { listErrors } from "#server/platform/db/recent-errors.ts";
import { readJobs } from "#server/platform/db/failed-jobs.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";
import { freshFor } from "#server/platform/fresh-for.ts";
import { readBackupRun } from "#server/platform/status/backup-runs.queries.ts";
import * as queries from "#server/platform/status/doctor-round.queries.ts";
import { listNeeds } from "#server/platform/status/needs.ts";
import type { Troubles } from "#server/platform/status/troubles.ts";
import { version } from "#server/platform/version.ts";
import type { DoctorFinding } from "#shared/operator.ts";

const program = fileURLToPath(new URL("../../admin.ts", import.meta.url));

/** How long sums are reused, milliseconds. */
const freshMs = 60_000;
/** A doctor's round that takes longer is ended, seconds. */
const longestRound = 180;
/** How much of a round's output is read, characters. */
const longestAnswer = 200_000;

type Deps<Stored extends object> = {
  config: Pick<Config, "dataDir" | "backupDir" | "backupBucket" | "smtpUrl">;
  db: Database;
  log: Pick<Logger, "error">;
  troubles: Pick<Troubles, "list">;
  /** sums up what the product stores */
  sumStorage: (db: Database) => Promise<Stored>;
  /** runs a round of the doctor; tests have their own */
  look?: () => Promise<DoctorFinding[]>;
  /** starts a backup into BACKUP_DIR; tests have their own */
  backUp?: () => void;
  /** limits the time of a read of DATA_DIR's disk */
  onDisk?: ImageStores["onDisk"];
};

/** The state of the installation, for operators in the browser and for commands. None of it needs a scan. */
export function createStatus<Stored extends object>(deps: Deps<Stored>) {
  const { config, db, log, look = runDoctor, backUp = backUpNow } = deps;
  const stored = freshFor(freshMs, () => deps.sumStorage(db));

  return {
    read: () => read(deps, stored),
    /** Begins a backup into BACKUP_DIR. False if there is no such folder, or one is under way. */
    beginBackup: async (): Promise<boolean> => {
      if (config.backupDir === null || (await isBackingUp(db))) return false;
      backUp();
      return true;
    },
    /**
     * Begins a round of the doctor unless one is running. It runs in a process of its own, which cannot take
     * this one down with it, and is ended if it takes too long.
     */
    beginRound: async (): Promise<void> => {
      if (!(await queries.beginRound(db, longestRound))) return;
      void look()
        .catch((error: unknown): DoctorFinding[] => {
          log.error({ err: error }, "the doctor could not look");
          return [{ state: "problem", about: "Doctor", text: sentenceOf(error) }];
        })
        .then((findings) => queries.endRound(db, findings))
        .catch(() => {});
    },
  };
}

async function read<Stored extends object>(
  { config, db, troubles, onDisk = (work) => work() }: Deps<Stored>,
  stored: () => Promise<Stored>,
) {
  const { dataDir, backupDir, smtpUrl } = config;
  const [condition, schema, sums, free, errors, round, backups, continuous, jobs, open] =
    await Promise.all([
      readDatabaseHealth(db),
      queries.readSchema(db),
      stored(),
      onDisk(() => freeBytesIn(dataDir)).catch(() => null),
      listErrors(db),
      queries.readRound(db),
      readBackups(config, db),
      backupDir === null ? null : readContinuous(dataDir),
      readJobs(db),
      troubles.list(),
    ]);
  const needs = listNeeds({
    troubles: open,
    backups,
    continuous,
    mailLeaves: smtpUrl !== null,
    free,
    jobs,
    findings: round?.findings ?? [],
  });
  return {
    needs,
    versions: {
      postcard: version,
      node: process.versions.node,
      postgres: condition.version,
      schema,
    },
    storage: { database: condition.bytes, ...sums, free },
    backups,
    continuous,
    jobs,
    errors,
    round,
  };
}

/** What is known of backups; `trouble` and `failure` are sentences, and empty if nothing is wrong. */
async function readBackups(
  { dataDir, backupDir, backupBucket }: Pick<Config, "dataDir" | "backupDir" | "backupBucket">,
  db: Database,
) {
  if (backupDir === null) return null;
  const [folder, run, isMaking] = await Promise.all([
    readFolder(db, backupDir),
    readBackupRun(db, backupDir),
    isBackingUp(db),
  ]);
  const restore = restoreCommands({ dataDir, backupDir, backupBucket });
  return { ...(folder ?? unseenFolder), failure: run?.failure ?? "", isMaking, restore };
}

export type Status<Stored extends object> = ReturnType<typeof createStatus<Stored>>;

const sentenceOf = (error: unknown) =>
  `It could not look: ${(error as Error).message.split("\n", 1)[0]}`;

const answer = z.object({
  findings: z.array(
    z.object({
      state: z.enum(["ok", "note", "problem", "fixed"]),
      about: z.string(),
      text: z.string(),
    }),
  ),
});

/** Runs `npm run doctor -- --json`, as an operator would. */
async function runDoctor(): Promise<DoctorFinding[]> {
  const child = spawn(process.execPath, [program, "doctor", "--json"], {
    stdio: ["ignore", "pipe", "ignore"],
    timeout: longestRound * 1000,
    killSignal: "SIGKILL",
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    if (said.length > longestAnswer) child.kill("SIGKILL");
  });
  await once(child, "close");
  try {
    return answer.parse(JSON.parse(said)).findings;
  } catch {
    throw new Error(`it said nothing within ${longestRound} seconds.`);
  }
}
