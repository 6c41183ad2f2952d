import { createInterface } from "node:readline/promises";
import { line, printDetails, printList, stateOf } from "#server/admin/print.ts";
import { prepareReports, prepareVerdict } from "#server/admin/moderation.ts";
import { oldDatabase } from "#server/admin/old-database.ts";
import { doctor } from "#server/admin/doctor/doctor.ts";
import { operatorCommands } from "#server/admin/operators.ts";
import { preparePictureCheck } from "#server/admin/picture-check.ts";
import { preparePictureMove } from "#server/admin/picture-move.ts";
import { roll } from "#server/admin/roll.ts";
import { wrongUsage, type Given, type Shape } from "#server/admin/words.ts";
import type { Config } from "#server/config.ts";
import type { Installation, Opens } from "#server/installation.ts";
import { limits } from "#shared/limits.ts";
import { reportLimits } from "#shared/report-limits.ts";
import { sizeFrom, usageInWords } from "#shared/sizes.ts";

export const usage = `npm run admin -- <command>

  list [words] [--suspended | --leaving | --moderators | --operators] [--limit 50]
      [--after cursor] [--json]
                                   accounts whose username, name or email contains the words
  show <address> [--json]          everything about one account
  suspend <address> [--reason words] [--days n]
                                   hides it and signs it out right away; its owner reads the reason
                                   and may answer it once; without --days it has no end
  restore <address>                ends a suspension, or cancels a pending deletion
  delete <address> [--now] [--yes] deletes it in ${limits.deletionDays} days, or now; asks first
  reset-link <address>             prints a link that sets a new password, once, within 30 minutes
  second-step-off <address>        for someone who lost both phone and recovery codes: verify who asks
  role <address> give|take moderator|operator
                                   an operator moderates, and does in the browser what this does
  log [--after cursor] [--json]    what operators did, newest first; nobody can change it
  status [--json]                  storage, backups and their drills, versions, the last errors
  jobs [--json]                    what waits for its turn, and what was given up
  retry-job <id>                   tries a job that was given up once more
  reports [case] [--json]          what waits for moderators, or everything about one case
  verdict <case> <act> <reason> [--days n] [--take-down]
                                   decides it: dismiss, warn, take-down, suspend (without --days it has
                                   no end); keep or lift where somebody answered
  set                              lists every setting with its meaning and current value
  set <name> <value>               changes it for every running server right away
  quota <address> <size>           storage for one member's pictures: 20GB, unlimited or default
  hide-from-explore <post> [--undo]
                                   takes a post ("ada/12" or its link) off the front page and out of
                                   Search's recent photos; it stays on its author's profile
  invite [--days ${limits.invitations.days}] [--count 1] [--note words]
                                   prints links that make one account each
  invitations [--after cursor] [--json]
                                   those that have not expired, with the note and what became of them
  withdraw <id>                    its link makes no account any more
  check-counters [--json]          compares every counter with the rows it counts
  check-pictures [--after place] [--json]
                                   compares every picture's files with its row: missing, cut, altered,
                                   and files that no row names
  move-pictures [--remove] [--after place]
                                   copies every picture from IMAGE_STORE_FROM to IMAGE_STORE and
                                   compares it; --remove empties the former: see docs/operations.md
  new-secrets                      recreates a lost secrets.json: see docs/operations.md
  doctor [--fix] [--json]          looks at everything Postcard stands on, says what to do, and with --fix
                                   repairs what it safely can; the same as npm run doctor
  roll                             replaces the processes of a running server one after another by new
                                   ones, with the code that lies here now, and refuses nobody meanwhile
  old-database [--remove]          the database that an upgrade of PostgreSQL left as it was, and its size
  backup [folder] [--drill] [--new-folder]
                                   (npm run backup) takes a backup into a folder, or BACKUP_DIR; --drill
                                   restores it into a temporary database, too, and compares it;
                                   --new-folder accepts a new disk in the place of the former
  restore-backup <folder>          (npm run restore) restores a backup, or the newest of a folder of
                                   them, into an empty DATA_DIR and an empty database
  use-data-dir                     keeps pictures in this DATA_DIR from now on, after another was lost

An address is an email, a username (also a former one) or an id. It works beside a running Postcard
and without one. Exit codes: 0 done, 1 not done, 2 invalid command. For a script that reads JSON:
npm run --silent admin -- list --json`;

/** Does it, in an open installation; answers the exit code. */
type Work = (installation: Installation) => Promise<number>;
/** Does it beside the installation, which stays closed; answers the exit code. */
export type Beside = (config: Config) => Promise<number>;
type Command = Shape &
  (
    | {
        prepare: (given: Given) => Work;
        /** how it opens the installation */
        opens?: Opens;
      }
    | { beside: (given: Given) => Beside }
  );

const one = [1, 1] as const;

export const commands: Record<string, Command> = {
  list: {
    options: {
      suspended: "flag",
      leaving: "flag",
      moderators: "flag",
      operators: "flag",
      limit: "value",
      after: "value",
      json: "flag",
    },
    operands: [0, 1],
    prepare: list,
  },
  show: { options: { json: "flag" }, operands: one, prepare: show },
  suspend: { options: { reason: "value", days: "value" }, operands: one, prepare: suspend },
  restore: { options: {}, operands: one, prepare: restore },
  delete: { options: { now: "flag", yes: "flag" }, operands: one, prepare: deleteAccount },
  "reset-link": { options: {}, operands: one, prepare: resetLink },
  "second-step-off": { options: {}, operands: one, prepare: secondStepOff },
  role: { options: {}, operands: [3, 3], prepare: role },
  reports: { options: { json: "flag" }, operands: [0, 1], prepare: prepareReports },
  verdict: {
    options: { days: "value", "take-down": "flag" },
    operands: [3, 3],
    prepare: prepareVerdict,
  },
  set: { options: {}, operands: [0, 2], prepare: set },
  quota: { options: {}, operands: [2, 2], prepare: quota },
  invite: {
    options: { days: "value", count: "value", note: "value" },
    operands: [0, 0],
    prepare: invite,
  },
  ...operatorCommands,
  "hide-from-explore": { options: { undo: "flag" }, operands: one, prepare: hideFromExplore },
  "check-counters": { options: { json: "flag" }, operands: [0, 0], prepare: checkCounters },
  "check-pictures": {
    options: { after: "value", json: "flag" },
    operands: [0, 0],
    prepare: preparePictureCheck,
  },
  "move-pictures": {
    options: { after: "value", remove: "flag" },
    operands: [0, 0],
    prepare: preparePictureMove,
  },
  "new-secrets": { options: {}, operands: [0, 0], prepare: newSecrets, opens: "with-new-secrets" },
  doctor: {
    options: { fix: "flag", json: "flag" },
    operands: [0, 0],
    beside: ({ options }) => doctor(options),
  },
  roll: { options: {}, operands: [0, 0], beside: () => roll },
  "old-database": {
    options: { remove: "flag" },
    operands: [0, 0],
    beside: (given) => (config) => oldDatabase(config, given),
  },
  backup: {
    options: { drill: "flag", scheduled: "flag", "new-folder": "flag" },
    operands: [0, 1],
    beside: backUp,
  },
  "restore-backup": { options: {}, operands: one, beside: restoreFrom },
  "use-data-dir": { options: {}, operands: [0, 0], prepare: useDataDir, opens: "in-this-folder" },
};

function backUp(given: Given): Beside {
  return async (config) => {
    const { takeOne } = await import("#server/admin/backups.ts");
    return takeOne(config, given);
  };
}

function restoreFrom(given: Given): Beside {
  return async (config) => {
    const { restoreOne } = await import("#server/admin/backups.ts");
    return restoreOne(config, given);
  };
}

function list({ options, operands: [filter = ""] }: Given): Work {
  const limit = wholeNumber("--limit", options["limit"] ?? 50, 1000);
  const states = (["suspended", "leaving"] as const).filter((state) => options[state]);
  if (states.length > 1) throw wrongUsage("--suspended and --leaving can't be combined.");
  const roles = (["moderator", "operator"] as const).filter((role) => options[`${role}s`]);
  if (roles.length > 1) throw wrongUsage("--moderators and --operators can't be combined.");
  const wanted = {
    filter,
    state: states[0] ?? null,
    role: roles[0] ?? null,
    cursor: options["after"] ? String(options["after"]) : null,
    limit,
  };
  return async ({ features }) => {
    const { items, nextCursor } = await features.administration.list(wanted);
    if (options["json"]) {
      line(JSON.stringify({ accounts: items, after: nextCursor }, null, 2));
      return 0;
    }
    printList(items);
    if (items.length === 0) line("No accounts found.");
    if (nextCursor) line(`There are more. To continue, add --after ${nextCursor}`);
    return 0;
  };
}

function show({ options, operands: [address = ""] }: Given): Work {
  return async ({ features }) => {
    const account = await features.administration.show(address);
    if (options["json"]) line(JSON.stringify(account, null, 2));
    else printDetails(account);
    return 0;
  };
}

function suspend({ options, operands: [address = ""] }: Given): Work {
  const { mostSuspendedDays } = reportLimits;
  const reason = options["reason"] === undefined ? null : String(options["reason"]);
  if (options["days"] !== undefined && reason === null) {
    throw wrongUsage("--days needs a --reason: whoever is suspended for a while reads why.");
  }
  const days =
    options["days"] === undefined
      ? null
      : wholeNumber("--days", options["days"], mostSuspendedDays);
  return async ({ features }) => {
    const why = reason === null ? undefined : { reason, days };
    const { username } = await features.desk.suspend(null, address, why);
    line(`@${username} is suspended: hidden, and signed out everywhere.`);
    return 0;
  };
}

function restore({ operands: [address = ""] }: Given): Work {
  return async ({ features }) => {
    const before = await features.administration.find(address);
    const { username } = await features.desk.restore(null, address);
    if (stateOf(before) === "active") line(`@${username} was already active.`);
    else line(`@${username} is restored (was ${stateOf(before)}).`);
    return 0;
  };
}

function resetLink({ operands: [address = ""] }: Given): Work {
  return async ({ features }) => {
    const { username, url } = await features.desk.resetLink(null, address);
    line(
      `With this link @${username} can set a new password, once, within 30 minutes. It ends every session:`,
    );
    line(url);
    return 0;
  };
}

function secondStepOff({ operands: [address = ""] }: Given): Work {
  return async ({ features }) => {
    const { username } = await features.administration.turnSecondStepOff(address);
    line(`Two-step sign-in is off for @${username}.`);
    return 0;
  };
}

function role({ operands: [address = "", action = "", name = ""] }: Given): Work {
  if (name !== "moderator" && name !== "operator")
    throw wrongUsage(`"${name}" isn't a role. Roles: "moderator" and "operator".`);
  if (action !== "give" && action !== "take") {
    throw wrongUsage(`Use "give" or "take", not "${action}".`);
  }
  const wanted = action === "give" ? name : "member";
  return async ({ features }) => {
    const { administration, desk } = features;
    if (action === "take" && (await administration.find(address)).role !== name) {
      line(`Not ${name === "operator" ? "an operator" : "a moderator"}: nothing was changed.`);
      return 1;
    }
    const { username } = await desk.setRole(null, address, wanted);
    line(`@${username} is now ${wanted === "operator" ? "an operator" : `a ${wanted}`}.`);
    return 0;
  };
}

function set({ operands: [name, value] }: Given): Work {
  if (name !== undefined && value === undefined) throw wrongUsage(`What should ${name} be?`);
  return async ({ features: { administration, operatorSettings }, db }) => {
    if (name !== undefined && value !== undefined) {
      const now = await db.transaction(async () => {
        const shown = await operatorSettings.set(name, value);
        const detail = shown.includes("\n") ? name : `${name}: ${shown}`;
        await administration.record(null, "setting", { detail });
        return shown;
      });
      line(`${name} is now ${now}.`);
      return 0;
    }
    for (const setting of await operatorSettings.list()) {
      line(`${setting.name} is ${setting.value}`);
      line(`  ${setting.meaning}`);
    }
    return 0;
  };
}

function quota({ operands: [address = "", size = ""] }: Given): Work {
  if (sizeFrom(size) === null && !["unlimited", "default"].includes(size)) {
    throw wrongUsage(`"${size}" isn't a size. Use one such as 20GB, or unlimited, or default.`);
  }
  return async ({ features: { desk } }) => {
    const { username, storage } = await desk.setQuota(null, address, size);
    line(`@${username} now uses ${usageInWords(storage)}.`);
    return 0;
  };
}

function invite({ options }: Given): Work {
  const { invitations: bounds } = limits;
  const days = wholeNumber("--days", options["days"] ?? bounds.days, bounds.mostDays);
  const count = wholeNumber("--count", options["count"] ?? 1, bounds.mostAtOnce);
  const note = String(options["note"] ?? "");
  return async ({ features: { desk, invitations }, publicUrl }) => {
    for (const { code, expiresAt } of await desk.invite(null, { days, count, note })) {
      line(`${publicUrl}/signUp?invitation=${code}  until ${expiresAt.toISOString().slice(0, 10)}`);
    }
    const mode = await invitations.mode();
    if (mode !== "invitation") {
      line(`Sign-up is ${mode}. Run "set sign-up invitation" to require invitations.`);
    }
    return 0;
  };
}

function hideFromExplore({ options, operands: [post = ""] }: Given): Work {
  const [, address = "", number = ""] = /(?:^|\/)@?([^/\s]+)\/([1-9]\d{0,9})\/?$/.exec(post) ?? [];
  if (!address) throw wrongUsage(`"${post}" isn't a post. Use one such as ada/12, or its link.`);
  const hidden = options["undo"] !== true;
  return async ({ features: { administration, explore, posts }, db }) => {
    const ref = await posts.refAt(null, address, Number(number));
    await db.transaction(async () => {
      await explore.setHidden(ref, hidden);
      const detail = hidden ? number : `${number}: shown again`;
      const about = { accountId: ref.authorId, detail };
      await administration.record(null, "hide-from-explore", about);
    });
    const where = "the front page and Search";
    line(`${address}/${number} is ${hidden ? "no longer on" : "allowed again on"} ${where}.`);
    return 0;
  };
}

function wholeNumber(name: string, given: string | boolean | number, most: number): number {
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw wrongUsage(`${name} is ${String(given)}, but must be a number from 1 to ${most}.`);
}

function checkCounters({ options }: Given): Work {
  return async ({ db }) => {
    const { reconcileCounters } = await import("#server/db/reconcile-counters.ts");
    const found = await reconcileCounters(db);
    if (options["json"]) line(JSON.stringify(found));
    else {
      for (const { counter, id, stored, counted } of found) {
        line(`${counter} of ${id} is ${stored}, but should be ${counted}.`);
      }
      if (found.length === 0) line("All counters are correct.");
    }
    return found.length === 0 ? 0 : 1;
  };
}

function newSecrets(): Work {
  return async ({ hadSecrets }) => {
    if (hadSecrets) {
      line("secrets.json exists. Nothing was changed.");
      return 1;
    }
    line("New secrets were created. Everyone has to sign in and turn on notifications again.");
    line(
      'Until you run "second-step-off" for them, members with two-step sign-in stay locked out.',
    );
    return 0;
  };
}

function useDataDir(): Work {
  return async ({ config }) => {
    line(
      `Pictures are kept in ${config.dataDir} from now on. "check-pictures" says which are missing.`,
    );
    return 0;
  };
}

function deleteAccount({ options, operands: [address = ""] }: Given): Work {
  const when = options["now"] ? "now" : `in ${limits.deletionDays} days`;
  if (!options["yes"] && !process.stdin.isTTY) {
    throw wrongUsage("There's no terminal to ask in. Add --yes to delete without asking.");
  }
  return async ({ features, db }) => {
    const { administration, deletion } = features;
    const { id, username, posts } = await administration.find(address);
    const question = `Delete @${username} with ${posts} posts for good, ${when}? Type the username: `;
    if (!options["yes"] && (await ask(question)) !== username) {
      line("Nothing was deleted.");
      return 1;
    }
    const dueAt = await db.transaction(async () => {
      await administration.record(null, "delete", { accountId: id, detail: when });
      return deletion.requestFor(id, options["now"] ? 0 : limits.deletionDays);
    });
    if (!options["now"]) {
      line(`@${username} is hidden now and will be deleted on ${new Date(dueAt).toISOString()}.`);
      line(
        `Until then, "restore ${username}" brings it back, and so does its owner by signing in.`,
      );
      return 0;
    }
    line(`Deleting @${username}. If interrupted, it continues while Postcard runs.`);
    await deletion.deleteAccount(id);
    line(`@${username} and everything it had are deleted.`);
    return 0;
  };
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(question)).trim().replace(/^@/, "").toLowerCase();
  } finally {
    terminal.close();
  }
}
