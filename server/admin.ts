import { withInstallation } from "#server/platform/admin/with-installation.ts";
import { readConfig } from "#server/config.ts";
import { open, prepare } from "#server/commands/commands.ts";

// The operator's commands: npm run admin -- <command> …
const prepared = prepare(process.argv.slice(2));
if (prepared.work) {
  const { work, opens } = prepared;
  process.exitCode = await orSentence(() =>
    withInstallation(() => open(readConfig(), opens), work),
  );
} else if ("standalone" in prepared) {
  process.exitCode = await orSentence(() => prepared.standalone(readConfig()));
} else {
  process[prepared.exitCode === 0 ? "stdout" : "stderr"].write(prepared.text);
  process.exitCode = prepared.exitCode;
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
