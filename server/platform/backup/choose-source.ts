import { basename, dirname } from "node:path";
import { continuousIn, openChain, reachOf, type Chain } from "#server/platform/backup/chain.ts";
import { checkChain, whyUnusable, type CheckedChain } from "#server/platform/backup/check-chain.ts";
import { join, lengthOf, realPath } from "#server/platform/backup/files.ts";
import { openBackup } from "#server/platform/backup/manifest.ts";
import { backupNames, momentOf } from "#server/platform/backup/names.ts";
import { chainSource } from "#server/platform/backup/restore-chain.ts";
import { rowsSource } from "#server/platform/backup/restore-rows.ts";
import type { RestoreOptions, RestoreSource } from "#server/platform/backup/restore-target.ts";

type Wanted = {
  /** the moment; null: the newest there is */
  to: Date | null;
  /** whether the embedded PostgreSQL is restored, which alone can take a chain */
  isEmbedded: boolean;
};

/**
 * What to restore: the backup that is named, or of a folder of them what reaches furthest, or what has a
 * moment. The log of a chain is compared with its hashes for that. Throws one sentence if there is nothing.
 */
export async function chooseSource(
  given: string,
  wanted: Wanted,
  options: RestoreOptions,
): Promise<RestoreSource> {
  const { to } = wanted;
  if ((await lengthOf(join(given, "manifest.json"))) === null) {
    return to === null ? newest(given, wanted, options) : asOf(given, to, wanted, options);
  }
  const folder = realPath(given);
  const parent = dirname(folder);
  if (basename(parent) === basename(continuousIn(""))) {
    const chain = await openChain(dirname(parent), basename(folder));
    refuseUnusable(chain, wanted);
    const notes: string[] = [];
    const checked = await checkChain(chain, notes, options);
    if (!checked) throw new Error(`The backup ${folder} lacks the log that its files need.`);
    return to === null
      ? chainSource(checked, null, notes, options)
      : stopAt(checked, to, notes, options);
  }
  if (to === null) return rowsSource(await openBackup(given), [], options);
  throw new Error(
    `${given} is a backup of one moment: for another moment name the folder of all backups.`,
  );
}

/** What reaches furthest. If the log of a chain ends early, something else may. */
async function newest(
  given: string,
  wanted: Wanted,
  options: RestoreOptions,
): Promise<RestoreSource> {
  const notes: string[] = [];
  const rows = (await backupNames(given)).at(-1);
  const rowsAt = rows === undefined ? -Infinity : momentOf(rows).getTime();
  let best: CheckedChain | null = null;
  for (const { chain, reach } of await chainsByReach(given, notes)) {
    if (reach.getTime() <= Math.max(rowsAt, best?.reach.getTime() ?? -Infinity)) break;
    const why = whyNotHere(chain, wanted);
    if (why) {
      notes.push(`The continuous backup reaches until ${reach.toISOString()}, but ${why}.`);
      break;
    }
    const checked = await checkChain(chain, notes, options);
    if (checked && checked.reach.getTime() > (best?.reach.getTime() ?? rowsAt)) best = checked;
  }
  if (best) {
    const other = rows === undefined ? null : join(given, rows);
    return orName(other, chainSource(best, null, notes, options));
  }
  if (rows === undefined && notes.length > 0) throw new Error(notes.join(" "));
  return rowsSource(await openBackup(given), notes, options);
}

/** If it is damaged, the sentence says what else there is: whether to lose that much is not for us to decide. */
function orName(other: string | null, source: RestoreSource): RestoreSource {
  const verify = () =>
    source.verify().catch((cause: Error) => {
      if (other === null || cause.name === "AbortError") throw cause;
      throw new Error(
        `${cause.message} The last other one is ${other}: to restore that, name it.`,
        {
          cause,
        },
      );
    });
  return { ...source, verify };
}

/** The newest chain that began before a moment, up to it. */
async function asOf(
  given: string,
  to: Date,
  wanted: Wanted,
  options: RestoreOptions,
): Promise<RestoreSource> {
  const notes: string[] = [];
  const chains = await chainsByReach(given, notes);
  const before = chains.filter(({ chain }) => new Date(chain.manifest.takenAt) <= to);
  const [found] = before.toSorted((one, other) => other.chain.name.localeCompare(one.chain.name));
  if (!found) {
    const oldest = chains.map(({ chain }) => chain.manifest.takenAt).toSorted()[0];
    throw new Error(
      oldest === undefined
        ? `There is no continuous backup in ${given}, which alone can be restored to any moment.`
        : `The continuous backup in ${given} begins on ${oldest}, after the moment.`,
    );
  }
  refuseUnusable(found.chain, wanted);
  const checked = await checkChain(found.chain, notes, options);
  if (!checked) throw new Error(`The backup ${found.chain.folder} lacks the log it needs.`);
  return stopAt(checked, to, notes, options);
}

function stopAt(
  { chain, segments, reach }: CheckedChain,
  to: Date,
  notes: string[],
  options: RestoreOptions,
): RestoreSource {
  if (to < new Date(chain.manifest.takenAt)) {
    throw new Error(
      `The backup ${chain.folder} begins on ${chain.manifest.takenAt}, after the moment.`,
    );
  }
  if (to > reach) {
    const [why = ""] = notes;
    const until = `reaches until ${reach.toISOString()}, not until the moment`;
    throw new Error(
      `The backup ${chain.folder} ${until}: leave --to out for all there is. ${why}`.trim(),
    );
  }
  // The first one that was written after the moment has what was committed before it.
  const needed = segments.findIndex(({ at }) => new Date(at) >= to) + 1;
  return chainSource({ chain, segments: segments.slice(0, needed), reach }, to, [], options);
}

/** The chains in a folder of backups by how far they should reach, the furthest first. */
async function chainsByReach(
  given: string,
  notes: string[],
): Promise<{ chain: Chain; reach: Date }[]> {
  const chains: { chain: Chain; reach: Date }[] = [];
  const names = await backupNames(continuousIn(given));
  const directory = names.length > 0 ? realPath(given) : given;
  for (const name of names) {
    try {
      const chain = await openChain(directory, name);
      const reach = await reachOf(chain);
      if (reach) chains.push({ chain, reach });
    } catch (error) {
      notes.push((error as Error).message);
    }
  }
  return chains.toSorted((one, other) => other.reach.getTime() - one.reach.getTime());
}

/** Why a chain cannot be restored here; empty if it can. */
const whyNotHere = (chain: Chain, { isEmbedded }: Wanted): string =>
  isEmbedded
    ? whyUnusable(chain)
    : "only the embedded PostgreSQL can take it, without DATABASE_URL";

function refuseUnusable(chain: Chain, wanted: Wanted): void {
  const why = whyNotHere(chain, wanted);
  if (why) throw new Error(`The backup ${chain.folder} can't be restored here: ${why}.`);
}
