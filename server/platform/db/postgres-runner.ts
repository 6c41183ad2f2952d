import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { chmodSync, lchownSync, lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The user "nobody": initdb insists on a user that has a name. */
const nobody = 65534;

/** A way to run PostgreSQL's programs, which refuse to run as root. */
export type Runner = {
  /** Words before the program, such as unshare and its options. */
  prefix: string[];
  /** User and group to start the program as; undefined: ours. */
  identity: { uid?: number; gid?: number };
  /** The required owner of the files on disk. */
  owner: { uid: number; gid: number };
  /** What `postgres --version` said when this way was tried. */
  version: string;
};

/**
 * Finds a way that works here, by trying: as the current user if that is an ordinary one; for root in a
 * user namespace, or else as an unprivileged user, if necessary with permission to enter folders closed to
 * it (a project below /root). Gives the files in `home` to the user that way needs. Throws one sentence
 * when nothing works.
 */
export function chooseRunner(home: string, postgres: string): Runner {
  for (const candidate of candidates(home)) {
    const [file, ...args] = [...candidate.prefix, "sh", "-c", probe, home, postgres];
    try {
      handOver(home, candidate.owner);
      const options = { ...candidate.identity, stdio: "pipe", encoding: "utf8" } as const;
      return { ...candidate, version: execFileSync(file as string, args, options).trim() };
    } catch {
      // Then try the next way.
    }
  }
  throw new Error(
    "The embedded PostgreSQL cannot run here as this user: start Postcard as an ordinary user " +
      "that owns DATA_DIR, or set DATABASE_URL to a PostgreSQL of your own.",
  );
}

// The user has a name, may work in the folder and may run the program.
const probe = 'id -un >/dev/null && cd "$0" && : >.probe && rm .probe && "$1" --version';

function candidates(home: string): Omit<Runner, "version">[] {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  const self = { identity: {}, owner: { uid, gid } };
  const namespace = {
    ...self,
    prefix: ["unshare", "--user", `--map-user=${nobody}`, `--map-group=${nobody}`],
  };
  if (uid !== 0) return [{ ...self, prefix: [] }, namespace];

  // Files that an ordinary user created still belong to that user, who can start it again later.
  const present = statSync(home);
  const owner = present.uid === 0 ? { uid: nobody, gid: nobody } : present;
  const other = { owner: { uid: owner.uid, gid: owner.gid } };
  const ways = [
    { ...other, identity: other.owner, prefix: [] },
    ...["dac_read_search", "dac_override"].map((capability) => ({
      ...other,
      identity: {},
      prefix: dropRoot(owner.uid, owner.gid, capability),
    })),
  ];
  return present.uid === 0 ? [namespace, ...ways] : [...ways, namespace];
}

function dropRoot(uid: number, gid: number, keep: string): string[] {
  const capabilities = [`--inh-caps=-all,+${keep}`, `--ambient-caps=-all,+${keep}`];
  return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", ...capabilities];
}

/** Starts a program in that way. */
export function run(
  runner: Runner,
  program: string,
  args: string[],
  options: SpawnOptions,
): ChildProcess {
  const [file, ...words] = [...runner.prefix, program, ...args];
  // Nothing of our own environment: it holds settings that libpq and PostgreSQL would follow.
  const env = { PATH: pathOfSystem, LC_ALL: "C", TZ: "UTC" };
  return spawn(file as string, words, { ...options, ...runner.identity, env });
}

const pathOfSystem = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Gives a file or folder that we created to the user PostgreSQL runs as. */
export function own({ owner }: Runner, path: string): void {
  if (process.getuid?.() === 0) lchownSync(path, owner.uid, owner.gid);
}

/** Gives a folder tree to its owner, the top last, so that an interrupted change is noticed and repeated. */
function handOver(path: string, owner: { uid: number; gid: number }): void {
  if (process.getuid?.() !== 0) return;
  if (owner.uid !== 0) openWay(path, owner);
  if (lstatSync(path).uid === owner.uid) return;
  give(path, owner);
}

function give(path: string, owner: { uid: number; gid: number }): void {
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) give(join(path, name), owner);
  }
  lchownSync(path, owner.uid, owner.gid);
}

/** Another user must be able to pass through DATA_DIR, without seeing what is in it. */
function openWay(home: string, owner: { uid: number }): void {
  const parent = dirname(home);
  const { mode, uid } = statSync(parent);
  if (uid !== owner.uid && (mode & 0o001) === 0) chmodSync(parent, (mode & 0o777) | 0o011);
}
