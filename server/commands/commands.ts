import { machineCommands } from "#server/platform/admin/machine.ts";
import type { Opens } from "#server/platform/admin/open.ts";
import { createCommandParser } from "#server/platform/admin/parse-command.ts";
import { accountCommands } from "#server/commands/accounts.ts";
import type { Command } from "#server/commands/command.ts";
import { dataCommands } from "#server/commands/data.ts";
import { checks } from "#server/commands/doctor.ts";
import { invitationCommands } from "#server/commands/invitations.ts";
import { moderationCommands } from "#server/commands/moderation.ts";
import { operatorCommands } from "#server/commands/operators.ts";
import { settingCommands } from "#server/commands/settings.ts";
import type { Config } from "#server/config.ts";
import { imageTables } from "#server/features/image-tables.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { createLog } from "#server/platform/log.ts";

const commands: Record<string, Command> = {
  ...accountCommands,
  ...operatorCommands,
  ...moderationCommands,
  ...settingCommands,
  ...invitationCommands,
  ...dataCommands,
  ...machineCommands({
    open,
    checks,
    productData: { imageTables, reconcile: reconcileCounters, deleteAgain },
  }),
};

const notes = `An address is an email, a username (also a former one) or an id. It works beside a running Postcard
and without one. Exit codes: 0 done, 1 not done, 2 invalid command. For a script that reads JSON:
npm run --silent admin -- list --json`;

/** Parses the words of a command. */
export const parseCommand = createCommandParser({ commands, notes });

/** Opens the installation for a command. Throws one sentence. */
export async function open(config: Config, opens: Opens | null = null) {
  const { openInstallation } = await import("#server/installation.ts");
  // A server's log lines would mix with the command's output.
  return openInstallation(config, createLog("silent"), { opens });
}

async function deleteAgain(config: Config, accounts: ReadonlySet<string>): Promise<number> {
  const { features, close } = await open(config, "while-restoring");
  return features.deletion.deleteAgain(accounts).finally(close);
}
