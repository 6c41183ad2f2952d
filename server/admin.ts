import { withInstallation } from "#server/platform/admin/with-installation.ts";
import { readConfig } from "#server/config.ts";
import { open, parseCommand } from "#server/commands/commands.ts";

// The operator's commands: npm run admin -- <command> …
const parsed = parseCommand(process.argv.slice(2));
if (parsed.work) {
  const { work, opens } = parsed;
  process.exitCode = await orSentence(() =>
    withInstallation(() => open(readConfig(), opens), work),
  );
} else if ("standalone" in parsed) {
  process.exitCode = await orSentence(() => parsed.standalone(readConfig()));
} else {
  process[parsed.exitCode === 0 ? "stdout" : "stderr"].write(parsed.text);
  process.exitCode = parsed.exitCode;
}

/** Prints what failed in one sentence. */
async function orSentence(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    process.stderr.write(`${(error as Error).message.split("\n", 1)[0]}\n`);
    return 1;
  }
}
