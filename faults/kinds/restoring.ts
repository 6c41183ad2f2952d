import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  consecutive,
  continuousIn,
  listChains,
  packedSegment,
  readSegments,
  type Chain,
} from "#server/platform/backup/chain.ts";
import { readState } from "#server/platform/backup/continuous-state.ts";
import { killIn } from "#server/platform/db/postgres-cluster.ts";
import { startProgram } from "#server/test/programs.ts";
import { admin, endOf, examineAt, ship, until } from "../archive.ts";
import type { Ledger } from "../ledger.ts";
import { begin, seconds, type Fault, type Result } from "../result.ts";
import {
  install,
  kill,
  killPostgres,
  newFolder,
  remove,
  waitForWrites,
  whileTheyWrite,
  type Target,
} from "../target.ts";

const title = "continuous backup";
/** Everything older is in it, milliseconds. */
const promisedMs = 5 * 60_000;

/**
 * The machine is lost while six members write: its server and its PostgreSQL are killed, and a restore has what the
 * continuous backup promises. The same restore is killed in each stage, and each segment of the log damaged once.
 */
export const restoring: Fault = {
  name: "archiving: restore",
  short: false,
  run: async () => {
    const backups = newFolder();
    const target = await install({ BACKUP_DIR: backups });
    try {
      const lost = await lose(target, backups);
      return [lost, await killed(target, backups), await damaged(target, backups)];
    } finally {
      await remove(target);
    }
  },
};

const folderIn = () => join(newFolder(), "data");
const restore = (dataDir: string, backups: string) => admin(dataDir, ["restore-backup", backups]);

/** Restores what is shipped by the server itself, in its own time. */
async function lose(target: Target, backups: string): Promise<Result> {
  const result = begin(target);
  const reaches = async () => Date.parse((await readState(target.dataDir)).reachesUntil ?? "") || 0;
  let behind = 0;
  const then = await whileTheyWrite(
    target,
    async () => {
      await until(target, "no chain began", async () => {
        await ship(target).ended;
        return (await reaches()) > 0;
      });
      await waitForWrites(target, 20);
      const known = stateOf(target.ledger);
      const at = Date.now();
      await until(target, "what was written was not shipped", async () => (await reaches()) >= at);
      behind = Date.now() - at;
      await waitForWrites(target);
      await kill(target);
      await killPostgres(target, { waits: false });
      return known;
    },
    { count: 6 },
  );
  if (behind > promisedMs) target.ledger.isWrong(`it was ${seconds(behind)} behind`);
  keepWhatWas(target.ledger, then);
  const there = folderIn();
  const command = restore(there, backups);
  if ((await command.ended) !== 0) target.ledger.isWrong(`the restore: ${command.said()}`);
  const notes = [
    `what was written was in it ${seconds(behind)} later (aim ${seconds(promisedMs)})`,
  ];
  return result(
    `${title}: machine lost`,
    "1 × everything killed, restored elsewhere",
    await examineAt(target, there),
    notes,
  );
}

type Known = { acknowledged: Set<string>; switches: Set<string> };

/** What is acknowledged now, and the switches that nobody touches from now on. */
function stateOf({ deeds, switches }: Ledger): Known {
  const known: Known = {
    acknowledged: new Set(
      [...deeds].filter(([, { state }]) => state === "acknowledged").map(([name]) => name),
    ),
    switches: new Set(switches.keys()),
  };
  for (const [name, one] of switches) {
    let { on } = one;
    const set = (next: boolean | null) => {
      on = next;
      known.switches.delete(name);
    };
    Object.defineProperty(one, "on", { get: () => on, set, configurable: true });
  }
  return known;
}

/** What has to be there is what was acknowledged then; of what came later, nobody knows. */
function keepWhatWas({ deeds, switches }: Ledger, then: Known): void {
  for (const [name, deed] of deeds) if (!then.acknowledged.has(name)) deed.state = "doubtful";
  for (const [name, one] of switches) if (!then.switches.has(name)) one.on = null;
}

/** Whether a restore has come so far, by its folder; in their order. */
const stages: [name: string, is: (dataDir: string) => boolean][] = [
  ["compared", (dataDir) => !existsSync(join(dataDir, "restore.unfinished"))],
  ["unpacked", (dataDir) => existsSync(join(dataDir, "postgres", "data", "base"))],
  ["unpacked the log", (dataDir) => existsSync(join(dataDir, "postgres", "replay"))],
  ["replayed", (dataDir) => existsSync(join(dataDir, "postgres", "data", "postmaster.pid"))],
  ["put images back", (dataDir) => existsSync(join(dataDir, "originals"))],
  ["wrote the secrets", (dataDir) => existsSync(join(dataDir, "secrets.json"))],
];

/** Each leaves nothing, or what no server starts on; the same command then restores everything. */
async function killed(target: Target, backups: string): Promise<Result> {
  const result = begin(target);
  const there = folderIn();
  for (const [name, is] of stages) {
    const command = restore(there, backups);
    const isOver = endOf(command);
    if (name === "compared") await sleep(1500);
    while (!isOver() && !is(there)) await sleep(2);
    const isLate = isOver();
    command.child.kill("SIGKILL");
    await command.ended;
    if (isLate) target.ledger.isWrong(`a restore ended before it was seen as it ${name}`);
    await refusesToStart(target, there);
  }
  const last = restore(there, backups);
  if ((await last.ended) !== 0) target.ledger.isWrong(`the last restore: ${last.said()}`);
  const notes = [`killed as it ${stages.map(([name]) => name).join(", ")}`];
  return result(
    `${title}: restore killed`,
    `${stages.length} kills`,
    await examineAt(target, there),
    notes,
  );
}

async function refusesToStart(target: Target, dataDir: string): Promise<void> {
  if (!existsSync(dataDir) || readdirSync(dataDir).length === 0) return;
  const env = { PORT: "0", DATA_DIR: dataDir, PROCESSES: "1", LOG_LEVEL: "error" };
  const server = startProgram([process.execPath, "server/main.ts"], { env });
  const isStarted = server.until(/is ready at/).then(
    () => true,
    () => false,
  );
  if (await isStarted) target.ledger.isWrong("a server started on half a restore");
  server.child.kill("SIGKILL");
  await server.ended;
  if (!/restore/.test(server.said())) target.ledger.isWrong(`a server said ${server.said()}`);
}

/** Each segment once: what is before it is restored and told, or the restore is refused. */
async function damaged(target: Target, backups: string): Promise<Result> {
  const result = begin(target);
  const chain = (await listChains(backups)).at(-1) as Chain;
  const segments = consecutive(chain.manifest, await readSegments(chain)).map(({ name }) => name);
  const seen = { refused: 0, told: 0 };
  const copy = join(newFolder(), "backups");
  cpSync(backups, copy, { recursive: true });
  for (const name of segments) {
    const path = join(continuousIn(copy), chain.name, packedSegment(name));
    const whole = readFileSync(path);
    const bytes = gunzipSync(whole);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(path, gzipSync(bytes));
    const there = folderIn();
    const command = restore(there, join(continuousIn(copy), chain.name));
    const isRestored = (await command.ended) === 0;
    const needed = name <= chain.manifest.stopSegment;
    if (isRestored === needed)
      target.ledger.isWrong(`a restore without ${name}: ${command.said()}`);
    else if (isRestored && !command.said().includes(name))
      target.ledger.isWrong(`${name} was not named`);
    else seen[isRestored ? "told" : "refused"] += 1;
    await killIn(join(there, "postgres", "data"));
    rmSync(there, { recursive: true, force: true });
    writeFileSync(path, whole);
  }
  const there = folderIn();
  const command = restore(there, copy);
  if ((await command.ended) !== 0) target.ledger.isWrong(`the restore: ${command.said()}`);
  const notes = [`${seen.refused} refused, ${seen.told} restored to before it and told`];
  return result(
    `${title}: damaged`,
    `each of ${segments.length} segments once`,
    await examineAt(target, there),
    notes,
  );
}
