import { accountCommands } from "#server/admin/commands/accounts.ts";
import { invitationCommands } from "#server/admin/commands/invitations.ts";
import { machineCommands } from "#server/admin/commands/machine.ts";
import { moderationCommands } from "#server/admin/commands/moderation.ts";
import { operatorCommands } from "#server/admin/commands/operators.ts";
import { settingCommands } from "#server/admin/commands/settings.ts";
import type { Command } from "#server/admin/command-line.ts";

/** By their names, in the order in which they are explained. */
export const commands: Record<string, Command> = {
  ...accountCommands,
  ...operatorCommands,
  ...moderationCommands,
  ...settingCommands,
  ...invitationCommands,
  ...machineCommands,
};

/** Where what a command does begins in its line. */
const indent = " ".repeat(35);

function explain([name, { uses }]: [string, Command]): string {
  const explained = uses.map(([takes, ...means]) => {
    const words = `  ${name} ${takes}`.trimEnd();
    const start =
      words.length < indent.length ? words.padEnd(indent.length) : `${words}\n${indent}`;
    return start + means.join(`\n${indent}`);
  });
  return explained.join("\n");
}

export const usage = `npm run admin -- <command>

${Object.entries(commands).map(explain).join("\n")}

An address is an email, a username (also a former one) or an id. It works beside a running Postcard
and without one. Exit codes: 0 done, 1 not done, 2 invalid command. For a script that reads JSON:
npm run --silent admin -- list --json`;
