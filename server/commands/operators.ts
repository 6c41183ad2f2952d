import { printResult, printLine, printable, printMore } from "#server/platform/admin/print.ts";
import {
  cursorFrom,
  flag,
  oneOperand,
  value,
  type ParsedArguments,
} from "#server/platform/admin/command-line.ts";
import type { Command, CommandWork } from "#server/commands/command.ts";
import { createLog } from "#server/platform/log.ts";
import { sumStorage, type Stored } from "#server/features/administration/index.ts";
import { readJobs } from "#server/platform/db/failed-jobs.ts";
import { coverageSentence } from "#server/platform/backup/coverage.ts";
import { reachSentence } from "#server/platform/backup/continuous-state.ts";
import { backupsOff, howToBackUp } from "#server/platform/status/needs.ts";
import type { Status } from "#server/platform/status/status.ts";
import { formatSize } from "#shared/sizes.ts";

const second = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

/** What the operator's pages show, as commands. */
export const operatorCommands: Record<string, Command> = {
  log: {
    uses: [["[--after cursor] [--json]", "what operators did, newest first; nobody can change it"]],
    options: { after: value, json: flag },
    prepare: log,
  },
  status: {
    uses: [
      ["[--json]", "what needs you, storage, backups and their drills, versions, the last errors"],
    ],
    options: { json: flag },
    prepare: status,
  },
  jobs: {
    uses: [["[--json]", "jobs that wait, and jobs that failed"]],
    options: { json: flag },
    prepare: jobs,
  },
  "retry-job": {
    uses: [["<id>", "tries a failed job once more"]],
    operands: oneOperand,
    prepare: retryJob,
  },
};

function log({ options }: ParsedArguments): CommandWork {
  return async ({ features: { dashboard } }) => {
    const { items, nextCursor } = await dashboard.log(null, cursorFrom(options));
    printResult(options, { entries: items, after: nextCursor }, () => {
      for (const { at, actorId, actor, accountId, account, act, detail } of items) {
        const who = actor ? `@${actor.username}` : actorId === null ? "command line" : "gone";
        const whom = account ? `@${account.username}` : accountId === null ? "" : "gone";
        printLine([second(at), who, act, whom, printable(detail)].filter(Boolean).join("  "));
      }
      if (items.length === 0) printLine("Nothing was done yet.");
      printMore(nextCursor);
    });
  };
}

function status({ options }: ParsedArguments): CommandWork {
  return async ({ config, db, features: { troubles } }) => {
    const { createStatus } = await import("#server/platform/status/status.ts");
    const log = createLog("silent");
    printResult(
      options,
      await createStatus({ config, db, log, troubles, sumStorage }).read(),
      printStatus,
    );
  };
}

function printStatus({
  versions,
  storage,
  needs,
  backups,
  continuous,
  errors,
}: Awaited<ReturnType<Status<Stored>["read"]>>): void {
  const { postcard, node, postgres, schema } = versions;
  printLine(
    `Versions   Postcard ${postcard}, Node.js ${node}, PostgreSQL ${postgres}, schema ${schema}`,
  );
  if (needs.length === 0) printLine("All well");
  for (const { text } of needs) printLine(`Needs you  ${printable(text)}`);
  printLine(`Pictures   ${formatSize(storage.pictures)}`);
  printLine(`Database   ${formatSize(storage.database)}`);
  if (storage.free !== null) printLine(`Free       ${formatSize(storage.free)}`);
  if (backups === null) printLine(`Backups    ${backupsOff} ${howToBackUp}`);
  else if (backups.list.length === 0 && !backups.trouble) printLine("Backups    there is none yet");
  if (continuous) printLine(`Backups    ${reachSentence(continuous.reachesUntil)}`);
  for (const { name, rows, pictures, drill } of backups?.list ?? []) {
    const verdict = !drill
      ? "not tried"
      : drill.faults.length === 0
        ? `tried in ${drill.seconds} s, all right`
        : `tried, not right: ${drill.faults[0]}`;
    printLine(`Backup     ${name}  ${rows} rows, ${pictures.count} pictures, ${verdict}`);
  }
  const coverage = backups?.list.find(({ drill }) => drill !== null)?.drill?.coverage;
  if (coverage) printLine(`Backups    ${coverageSentence(coverage)}`);
  for (const { at, message, detail } of errors)
    printLine(`Error      ${second(at)}  ${message}  ${detail}`);
}

function jobs({ options }: ParsedArguments): CommandWork {
  return async ({ db }) => {
    const { waiting, failed } = await readJobs(db);
    printResult(options, { waiting, failed }, () => {
      for (const { name, waiting: many, late } of waiting) {
        printLine(`${name}  ${many} waiting${late > 0 ? `, ${late} of them late` : ""}`);
      }
      for (const { id, name, error, failedAt } of failed) {
        printLine(`${id}  ${name}  failed ${second(failedAt)}: ${printable(error)}`);
      }
      if (waiting.length + failed.length === 0) printLine("No jobs waiting, none failed.");
    });
  };
}

function retryJob({ operands: [id = ""] }: ParsedArguments): CommandWork {
  return async ({ features: { dashboard } }) => {
    await dashboard.retryJobs(null, id);
    printLine("It is tried again now, or once Postcard runs.");
  };
}
