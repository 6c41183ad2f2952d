import { createInterface } from "node:readline/promises";
import { line, printDetails, printList, stateOf } from "#server/admin/print.ts";
import { prepareReports, prepareVerdict } from "#server/admin/moderation.ts";
import { oldDatabase } from "#server/admin/old-database.ts";
import { doctor } from "#server/admin/doctor/doctor.ts";
import { preparePictureCheck } from "#server/admin/picture-check.ts";
import { preparePictureMove } from "#server/admin/picture-move.ts";
import { roll } from "#server/admin/roll.ts";
import { wrongUsage, type Given, type Shape } from "#server/admin/words.ts";
import type { Config } from "#server/config.ts";
import type { Installation, Opens } from "#server/installation.ts";
import { limits } from "#shared/limits.ts";
import { sizeFrom, usageInWords } from "#shared/sizes.ts";

export const usage = `npm run admin -- <command>

  list [words] [--suspended | --leaving | --moderators] [--limit 50] [--after cursor] [--json]
                                   accounts whose username, name or email contains the words
  show <address> [--json]          everything about one account
  suspend <address>                hides it and signs it out right away
  restore <address>                ends a suspension, or cancels a pending deletion
  delete <address> [--now] [--yes] deletes it in ${limits.deletionDays} days, or now; asks first
  reset-link <address>             prints a link that sets a new password, once, within 30 minutes
  second-step-off <address>        for someone who lost both phone and recovery codes: verify who asks
  role <address> give|take moderator
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
  invite [--days ${limits.invitations.days}] [--count 1]    prints links that make one account each
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
  backup [folder] [--drill]        (npm run backup) takes a backup into a folder, or BACKUP_DIR; --drill
                                   restores it into a temporary database, too, and compares it
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
      limit: "value",
      after: "value",
      json: "flag",
    },
    operands: [0, 1],
    prepare: list,
  },
  show: { options: { json: "flag" }, operands: one, prepare: show },
  suspend: { options: {}, operands: one, prepare: suspend },
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
  invite: { options: { days: "value", count: "value" }, operands: [0, 0], prepare: invite },
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
  backup: { options: { drill: "flag", scheduled: "flag" }, operands: [0, 1], beside: backUp },
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
  const wanted = {
    filter,
    state: states[0] ?? null,
    role: options["moderators"] ? ("moderator" as const) : null,
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

function suspend({ operands: [address = ""] }: Given): Work {
  return async ({ features }) => {
    const { username } = await features.administration.suspend(address);
    line(`@${username} is suspended: hidden, and signed out everywhere.`);
    return 0;
  };
}

function restore({ operands: [address = ""] }: Given): Work {
  return async ({ features }) => {
    const before = await features.administration.find(address);
    const { username } = await features.administration.restore(address);
    if (stateOf(before) === "active") line(`@${username} was already active.`);
    else line(`@${username} is restored (was ${stateOf(before)}).`);
    return 0;
  };
}

function resetLink({ operands: [address = ""] }: Given): Work {
  return async ({ features }) => {
    const { username, url } = await features.verification.issueResetLink(address);
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
  if (name !== "moderator")
    throw wrongUsage(`"${name}" isn't a role. The only role is "moderator".`);
  if (action !== "give" && action !== "take") {
    throw wrongUsage(`Use "give" or "take", not "${action}".`);
  }
  const wanted = action === "give" ? "moderator" : "member";
  return async ({ features }) => {
    const { username } = await features.administration.setRole(address, wanted);
    line(`@${username} is now a ${wanted}.`);
    return 0;
  };
}

function set({ operands: [name, value] }: Given): Work {
  if (name !== undefined && value === undefined) throw wrongUsage(`What should ${name} be?`);
  return async ({ features: { operatorSettings } }) => {
    if (name !== undefined && value !== undefined) {
      line(`${name} is now ${await operatorSettings.set(name, value)}.`);
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
  const room = size === "unlimited" ? size : size === "default" ? null : sizeFrom(size);
  if (room === null && size !== "default") {
    throw wrongUsage(`"${size}" isn't a size. Use one such as 20GB, or unlimited, or default.`);
  }
  return async ({ features: { administration, storage } }) => {
    const { id, username } = await administration.find(address);
    await storage.setQuota(id, room);
    line(`@${username} now uses ${usageInWords(await storage.read(id))}.`);
    return 0;
  };
}

function invite({ options }: Given): Work {
  const { invitations: bounds } = limits;
  const days = wholeNumber("--days", options["days"] ?? bounds.days, bounds.mostDays);
  const count = wholeNumber("--count", options["count"] ?? 1, bounds.mostAtOnce);
  return async ({ features: { invitations }, publicUrl }) => {
    for (let n = 0; n < count; n += 1) {
      const { code, expiresAt } = await invitations.issue(days);
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
  return async ({ features: { explore, posts } }) => {
    await explore.setHidden(await posts.refAt(null, address, Number(number)), hidden);
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
  return async ({ features }) => {
    const { administration, deletion } = features;
    const { id, username, posts } = await administration.find(address);
    const question = `Delete @${username} with ${posts} posts for good, ${when}? Type the username: `;
    if (!options["yes"] && (await ask(question)) !== username) {
      line("Nothing was deleted.");
      return 1;
    }
    const dueAt = await deletion.requestFor(id, options["now"] ? 0 : limits.deletionDays);
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
