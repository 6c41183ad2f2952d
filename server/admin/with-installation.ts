import type { Config } from "#server/config.ts";
import type { Installation, Opens } from "#server/installation.ts";
import { createLog } from "#server/log.ts";

/** Opens an installation for some work and closes it again, interrupted or not. Throws one sentence. */
export async function withInstallation<Result>(
  config: Config,
  work: (installation: Installation) => Promise<Result>,
  opens: Opens | null = null,
): Promise<Result> {
  const { openInstallation } = await import("#server/installation.ts");
  // What a server logs would stand between the lines of the answer.
  const installation = await openInstallation(config, createLog("silent"), { opens });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.once(signal, () => void installation.close().finally(() => process.exit(130)));
  }
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
}
