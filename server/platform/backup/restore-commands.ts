import { fileURLToPath } from "node:url";
import type { S3Settings } from "#server/adapters/image-store/settings.ts";
import type { Config } from "#server/config.ts";

const projectRoot = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

/**
 * What to type on this machine to restore what reaches furthest, once Postcard is stopped. The data of before
 * is moved away, not removed.
 */
export function restoreCommands({
  dataDir,
  backupDir,
  backupBucket,
}: Pick<Config, "dataDir" | "backupBucket"> & { backupDir: string }): string[] {
  const from = backupBucket ? addressOf(backupDir, backupBucket) : backupDir;
  const [data, before] = [quoted(dataDir), quoted(`${dataDir}-before`)];
  return [
    `cd ${quoted(projectRoot)}`,
    `mv ${data} ${before}`,
    `DATA_DIR=${data} npm run restore -- ${quoted(from)}`,
  ];
}

/** As an operator types it; the keys are in the environment. */
const addressOf = (path: string, { endpoint, region }: S3Settings): string =>
  `${path}?endpoint=${endpoint}&region=${region}`;

/** For a shell, where it needs that. */
const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
