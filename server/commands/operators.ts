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
    uses: [["[--json]", "storage, backups and their drills, versions, the last errors"]],
    options: { json: flag },
    prepare: status,
  },
  jobs: {
    uses: [["[--json]", "what waits for its turn, and what was given up"]],
    options: { json: flag },
    prepare: jobs,
  },
  "retry-job": {
    uses: [["<id>", "tries a job that was given up once more"]],
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
  troubles,
  backups,
  errors,
}: Awaited<ReturnType<Status<Stored>["read"]>>): void {
  const { postcard, node, postgres, schema } = versions;
  printLine(
    `Versions   Postcard ${postcard}, Node.js ${node}, PostgreSQL ${postgres}, schema ${schema}`,
  );
  for (const { said } of troubles) printLine(`Wrong      ${printable(said)}`);
  printLine(`Pictures   ${formatSize(storage.pictures)}`);
  printLine(`Database   ${formatSize(storage.database)}`);
  if (storage.free !== null) printLine(`Free       ${formatSize(storage.free)}`);
  if (backups === null) printLine("Backups    none are taken by itself: set BACKUP_DIR");
  else if (backups.trouble) printLine(`Backups    ${backups.trouble}`);
  else if (backups.list.length === 0) printLine("Backups    there is none yet");
  for (const { name, rows, pictures, drill } of backups?.list ?? []) {
    const verdict = !drill
      ? "not tried"
      : drill.faults.length === 0
        ? `tried in ${drill.seconds} s, all right`
        : `tried, not right: ${drill.faults[0]}`;
    printLine(`Backup     ${name}  ${rows} rows, ${pictures.count} pictures, ${verdict}`);
  }
  for (const { at, message, detail } of errors)
    printLine(`Error      ${second(at)}  ${message}  ${detail}`);
}

function jobs({ options }: ParsedArguments): CommandWork {
  return async ({ features: { dashboard } }) => {
    const { waiting, failed } = await dashboard.jobStatus(null);
    printResult(options, { waiting, failed }, () => {
      for (const { name, waiting: many, late } of waiting) {
        printLine(`${name}  ${many} waiting${late > 0 ? `, ${late} of them late` : ""}`);
      }
      for (const { id, name, error, failedAt } of failed) {
        printLine(`${id}  ${name}  given up ${second(failedAt)}: ${printable(error)}`);
      }
      if (waiting.length + failed.length === 0)
        printLine("Nothing waits, and nothing was given up.");
    });
  };
}

function retryJob({ operands: [id = ""] }: ParsedArguments): CommandWork {
  return async ({ features: { dashboard } }) => {
    await dashboard.retryJob(null, id);
    printLine("It is tried again now, or once Postcard runs.");
  };
}
