import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const oldest = 15;

/** Where packages put the programs of several versions side by side. */
const places = [
  { folder: "/usr/lib/postgresql", bin: "bin" },
  { folder: "/opt/homebrew/opt", bin: "bin", name: /^postgresql@/ },
  { folder: "/usr/local/opt", bin: "bin", name: /^postgresql@/ },
];

/** The oldest PostgreSQL of this machine that Postcard supports: { bin, version }, or null. */
export function findSystemPostgres() {
  const found = places.flatMap(({ folder, bin, name }) => {
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder).filter((entry) => !name || name.test(entry));
    return names.map((entry) => describe(join(folder, entry, bin)));
  });
  const fit = found.filter((entry) => entry !== null && entry.major >= oldest);
  return fit.sort((a, b) => a.major - b.major)[0] ?? null;
}

function describe(bin) {
  const { stdout } = spawnSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" });
  const version = /\d+(\.\d+)?/.exec(stdout ?? "")?.[0];
  return version ? { bin, version, major: Math.floor(Number(version)) } : null;
}
