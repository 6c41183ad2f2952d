import { answer, line, plain, tellMore } from "#server/admin/print.ts";
import {
  afterFrom,
  flag,
  one,
  value,
  type Command,
  type Given,
  type Work,
} from "#server/admin/words.ts";
import { createLog } from "#server/log.ts";
import type { Status } from "#server/status/status.ts";
import { sizeInWords } from "#shared/sizes.ts";

const second = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

/** What the operator's pages show, at the command line. */
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
    operands: one,
    prepare: retryJob,
  },
};

function log({ options }: Given): Work {
  return async ({ features: { desk } }) => {
    const { items, nextCursor } = await desk.log(null, afterFrom(options));
    answer(options, { entries: items, after: nextCursor }, () => {
      for (const { at, actorId, actor, accountId, account, act, detail } of items) {
        const who = actor ? `@${actor.username}` : actorId === null ? "command line" : "gone";
        const whom = account ? `@${account.username}` : accountId === null ? "" : "gone";
        line([second(at), who, act, whom, plain(detail)].filter(Boolean).join("  "));
      }
      if (items.length === 0) line("Nothing was done yet.");
      tellMore(nextCursor);
    });
  };
}

function status({ options }: Given): Work {
  return async ({ config, db, features: { troubles } }) => {
    const { createStatus } = await import("#server/status/status.ts");
    const log = createLog("silent");
    answer(options, await createStatus({ config, db, log, troubles }).read(), printStatus);
  };
}

function printStatus({
  versions,
  storage,
  troubles,
  backups,
  errors,
}: Awaited<ReturnType<Status["read"]>>): void {
  const { postcard, node, postgres, schema } = versions;
  line(
    `Versions   Postcard ${postcard}, Node.js ${node}, PostgreSQL ${postgres}, schema ${schema}`,
  );
  for (const { said } of troubles) line(`Wrong      ${plain(said)}`);
  line(`Pictures   ${sizeInWords(storage.pictures)}`);
  line(`Database   ${sizeInWords(storage.database)}`);
  if (storage.free !== null) line(`Free       ${sizeInWords(storage.free)}`);
  if (backups === null) line("Backups    none are taken by itself: set BACKUP_DIR");
  else if (backups.trouble) line(`Backups    ${backups.trouble}`);
  else if (backups.list.length === 0) line("Backups    there is none yet");
  for (const { name, rows, pictures, drill } of backups?.list ?? []) {
    const verdict = !drill
      ? "not tried"
      : drill.faults.length === 0
        ? `tried in ${drill.seconds} s, all right`
        : `tried, not right: ${drill.faults[0]}`;
    line(`Backup     ${name}  ${rows} rows, ${pictures.count} pictures, ${verdict}`);
  }
  for (const { at, message, detail } of errors)
    line(`Error      ${second(at)}  ${message}  ${detail}`);
}

function jobs({ options }: Given): Work {
  return async ({ features: { desk } }) => {
    const { waiting, failed } = await desk.work(null);
    answer(options, { waiting, failed }, () => {
      for (const { name, waiting: many, late } of waiting) {
        line(`${name}  ${many} waiting${late > 0 ? `, ${late} of them late` : ""}`);
      }
      for (const { id, name, error, failedAt } of failed) {
        line(`${id}  ${name}  given up ${second(failedAt)}: ${plain(error)}`);
      }
      if (waiting.length + failed.length === 0) line("Nothing waits, and nothing was given up.");
    });
  };
}

function retryJob({ operands: [id = ""] }: Given): Work {
  return async ({ features: { desk } }) => {
    await desk.retryJob(null, id);
    line("It is tried again now, or once Postcard runs.");
  };
}
