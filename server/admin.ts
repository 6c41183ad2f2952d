import { readConfig } from "#server/config.ts";
import { prepare, type Prepared } from "#server/admin/prepare.ts";
import { createLog } from "#server/log.ts";

// What an operator does with accounts: npm run admin -- <command> …
const prepared = prepare(process.argv.slice(2));
if (prepared.work) process.exitCode = await run(prepared);
else {
  process[prepared.exitCode === 0 ? "stdout" : "stderr"].write(prepared.text);
  process.exitCode = prepared.exitCode;
}

/** Opens the installation, works in it, and says in one sentence what did not go. */
async function run({ work, makesSecrets }: Extract<Prepared, { text?: never }>): Promise<number> {
  try {
    const { openInstallation } = await import("#server/installation.ts");
    // What a server logs would stand between the lines of the answer.
    const installation = await openInstallation(readConfig(), createLog("silent"), {
      makesSecrets,
    });
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      process.once(signal, () => void installation.close().finally(() => process.exit(130)));
    }
    try {
      return await work(installation);
    } finally {
      await installation.close();
    }
  } catch (error) {
    process.stderr.write(`${(error as Error).message.split("\n", 1)[0]}\n`);
    return 1;
  }
}
