import { line, plain } from "#server/admin/print.ts";
import type { Given, Shape } from "#server/admin/words.ts";
import type { Installation } from "#server/installation.ts";
import { createLog } from "#server/log.ts";
import type { Status } from "#server/status/status.ts";
import { sizeInWords } from "#shared/sizes.ts";

type Work = (installation: Installation) => Promise<number>;
type Command = Shape & { prepare: (given: Given) => Work };

const second = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");
const after = ({ options }: Given) => (options["after"] ? String(options["after"]) : null);

/** What the operator's pages show, at the command line. */
export const operatorCommands: Record<string, Command> = {
  log: { options: { after: "value", json: "flag" }, operands: [0, 0], prepare: log },
  status: { options: { json: "flag" }, operands: [0, 0], prepare: status },
  jobs: { options: { json: "flag" }, operands: [0, 0], prepare: jobs },
  "retry-job": { options: {}, operands: [1, 1], prepare: retryJob },
  invitations: {
    options: { after: "value", json: "flag" },
    operands: [0, 0],
    prepare: invitations,
  },
  withdraw: { options: {}, operands: [1, 1], prepare: withdraw },
};

function log(given: Given): Work {
  return async ({ features: { desk } }) => {
    const { items, nextCursor } = await desk.log(null, after(given));
    if (given.options["json"]) {
      line(JSON.stringify({ entries: items, after: nextCursor }, null, 2));
      return 0;
    }
    for (const { at, actorId, actor, accountId, account, act, detail } of items) {
      const who = actor ? `@${actor.username}` : actorId === null ? "command line" : "gone";
      const whom = account ? `@${account.username}` : accountId === null ? "" : "gone";
      line([second(at), who, act, whom, plain(detail)].filter(Boolean).join("  "));
    }
    if (items.length === 0) line("Nothing was done yet.");
    if (nextCursor) line(`There are more. To continue, add --after ${nextCursor}`);
    return 0;
  };
}

function status({ options }: Given): Work {
  return async ({ config, db, features: { troubles } }) => {
    const { createStatus } = await import("#server/status/status.ts");
    const log = createLog("silent");
    const found = await createStatus({ config, db, log, troubles }).read();
    if (options["json"]) line(JSON.stringify(found, null, 2));
    else printStatus(found);
    return 0;
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
    if (options["json"]) {
      line(JSON.stringify({ waiting, failed }, null, 2));
      return 0;
    }
    for (const { name, waiting: many, late } of waiting) {
      line(`${name}  ${many} waiting${late > 0 ? `, ${late} of them late` : ""}`);
    }
    for (const { id, name, error, failedAt } of failed) {
      line(`${id}  ${name}  given up ${second(failedAt)}: ${plain(error)}`);
    }
    if (waiting.length + failed.length === 0) line("Nothing waits, and nothing was given up.");
    return 0;
  };
}

function retryJob({ operands: [id = ""] }: Given): Work {
  return async ({ features: { desk } }) => {
    await desk.retryJob(null, id);
    line("It is tried again now, or once Postcard runs.");
    return 0;
  };
}

function invitations(given: Given): Work {
  return async ({ features: { desk } }) => {
    const { page } = await desk.invited(null, after(given));
    if (given.options["json"]) {
      line(JSON.stringify({ invitations: page.items, after: page.nextCursor }, null, 2));
      return 0;
    }
    for (const { id, note, used, endsAt } of page.items) {
      const state = used ? "used" : `until ${second(endsAt).slice(0, 10)}`;
      line([id, state, plain(note)].filter(Boolean).join("  "));
    }
    if (page.items.length === 0) line("There are none.");
    if (page.nextCursor) line(`There are more. To continue, add --after ${page.nextCursor}`);
    return 0;
  };
}

function withdraw({ operands: [id = ""] }: Given): Work {
  return async ({ features: { desk } }) => {
    await desk.withdrawInvitation(null, id);
    line("Withdrawn: its link makes no account any more.");
    return 0;
  };
}
