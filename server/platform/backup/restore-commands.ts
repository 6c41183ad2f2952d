import { fileURLToPath } from "node:url";
import type { Config } from "#server/config.ts";

const projectRoot = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

/**
 * What to type on this machine to restore what reaches furthest, once Postcard is stopped. The data of before
 * is moved away, not removed.
 */
export function restoreCommands({
  dataDir,
  backupDir,
}: Pick<Config, "dataDir"> & { backupDir: string }): string[] {
  const [data, before] = [quoted(dataDir), quoted(`${dataDir}-before`)];
  return [
    `cd ${quoted(projectRoot)}`,
    `mv ${data} ${before}`,
    `DATA_DIR=${data} npm run restore -- ${quoted(backupDir)}`,
  ];
}

/** For a shell, where it needs that. */
const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
