import {
  checkPictures,
  type Fault,
  pictureTables,
  type Place,
} from "#server/features/administration/index.ts";
import { line } from "#server/admin/print.ts";
import { wrongUsage, type Options } from "#server/admin/words.ts";
import type { Installation } from "#server/installation.ts";

/** Pictures after which it says how far it is. */
const tellEvery = 1000;

/** check-pictures: a line for every fault, and how to go on when it was interrupted. */
export function preparePictureCheck({ options }: { options: Options }) {
  const from = placeOf("check-pictures", options["after"]);
  return async (installation: Installation): Promise<number> => {
    let faults = 0;
    let told = 0;
    const onFault = (fault: Fault) => {
      faults += 1;
      line(options["json"] ? JSON.stringify(fault) : sentenceOf(fault));
    };
    const onProgress = (checked: number, { table, key }: Place) => {
      if (checked - told < tellEvery) return;
      told = checked;
      // Beside the answer, which a script may read.
      process.stderr.write(`${checked} pictures; to go on from here: --after ${table}:${key}\n`);
    };
    const checked = await checkPictures(installation, { onFault, onProgress }, from);
    if (!options["json"]) line(`${checked} pictures checked, ${faults || "no"} faults found.`);
    return faults === 0 ? 0 : 1;
  };
}

/** Where a command that was interrupted goes on: what it printed. */
export function placeOf(command: string, text: Options[string]): Place | null {
  if (text === undefined) return null;
  const [table = "", key = ""] = String(text).split(":");
  const found = pictureTables.find((name) => name === table);
  if (found && /^[0-9a-f]{32}$/.test(key)) return { table: found, key };
  throw wrongUsage(`--after is ${String(text)}, but must be a place that ${command} printed.`);
}

function sentenceOf({ fault, area, key, file }: Fault): string {
  const where = `${key}${area === "private" ? " (of a message)" : ""}`;
  if (fault === "orphan") return `orphan   ${where}: no row names these files`;
  return `${fault.padEnd(8)} ${where}: ${file}`;
}
