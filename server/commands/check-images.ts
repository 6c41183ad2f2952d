import {
  checkImages,
  type Fault,
  imageTableNames,
  type CheckPosition,
} from "#server/features/administration/index.ts";
import { printLine } from "#server/platform/admin/print.ts";
import { usageError, type Options } from "#server/platform/admin/command-line.ts";
import type { Installation } from "#server/installation.ts";

/** Images between two reports of progress. */
const reportEvery = 1000;

/**
 * check-pictures: prints a line for every fault; when it is interrupted, it can continue from where it was.
 */
export function prepareImageCheck({ options }: { options: Options }) {
  const from = parsePosition("check-pictures", options["after"]);
  return async (installation: Installation): Promise<number> => {
    let faults = 0;
    let reported = 0;
    const onFault = (fault: Fault) => {
      faults += 1;
      printLine(options["json"] ? JSON.stringify(fault) : sentenceOf(fault));
    };
    const onProgress = (checked: number, { table, key }: CheckPosition) => {
      if (checked - reported < reportEvery) return;
      reported = checked;
      // On stderr, because a script may read stdout.
      process.stderr.write(`${checked} pictures; to go on from here: --after ${table}:${key}\n`);
    };
    const checked = await checkImages(installation, { onFault, onProgress }, from);
    if (!options["json"]) printLine(`${checked} pictures checked, ${faults || "no"} faults found.`);
    return faults === 0 ? 0 : 1;
  };
}

/** The position to continue from, as an interrupted command printed it. */
export function parsePosition(command: string, text: Options[string]): CheckPosition | null {
  if (text === undefined) return null;
  const [table = "", key = ""] = String(text).split(":");
  const found = imageTableNames.find((name) => name === table);
  if (found && /^[0-9a-f]{32}$/.test(key)) return { table: found, key };
  throw usageError(`--after is ${String(text)}, but must be a place that ${command} printed.`);
}

function sentenceOf({ fault, area, key, file }: Fault): string {
  const where = `${key}${area === "private" ? " (of a message)" : ""}`;
  if (fault === "orphan") return `orphan   ${where}: no row names these files`;
  return `${fault.padEnd(8)} ${where}: ${file}`;
}
