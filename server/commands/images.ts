import { join } from "node:path";
import pino from "pino";
import { openStores } from "#server/adapters/image-store/open.ts";
import {
  checkImages,
  imageTableNames,
  moveImages,
  type CheckPosition,
  type Fault,
  type Moved,
} from "#server/features/administration/index.ts";
import { renewImages, type Renewed } from "#server/features/posts/index.ts";
import { printLine } from "#server/platform/admin/print.ts";
import {
  flag,
  usageError,
  value,
  type Options,
  type ParsedArguments,
} from "#server/platform/admin/command-line.ts";
import type { Command, CommandWork } from "#server/commands/command.ts";

/** Commands that check, move and renew stored images; one that is interrupted can go on from where it was. */
export const imageCommands: Record<string, Command> = {
  "check-pictures": {
    uses: [
      [
        "[--after place] [--json]",
        "compares every picture's files with its row: missing, cut, altered,",
        "and files that no row names",
      ],
    ],
    options: { after: value, json: flag },
    prepare: prepareCheck,
  },
  "move-pictures": {
    uses: [
      [
        "[--remove] [--after place]",
        "copies every picture from IMAGE_STORE_FROM to IMAGE_STORE and",
        "compares it; --remove empties the former: see docs/operations.md",
      ],
    ],
    options: { after: value, remove: flag },
    prepare: prepareMove,
  },
  "renew-images": {
    uses: [
      [
        "[--after place]",
        "makes the widths that images of an earlier version lack, from",
        "their originals",
      ],
    ],
    options: { after: value },
    prepare: prepareRenewal,
  },
};

/** On stderr, because a script may read stdout. */
const printProgress = (text: string, position: string) =>
  void process.stderr.write(`${text}; to go on from here: --after ${position}\n`);

const printFault =
  (what: string) =>
  ({ key, why }: { key: string; why: string }) =>
    printLine(`${what} ${key}: ${why}`);

/** Images between two reports of progress. */
const reportEvery = 1000;

/**
 * check-pictures: prints a line for every fault; when it is interrupted, it can continue from where it was.
 */
function prepareCheck({ options }: ParsedArguments): CommandWork {
  const from = parsePosition("check-pictures", options["after"]);
  return async (installation) => {
    let faults = 0;
    let reported = 0;
    const onFault = (fault: Fault) => {
      faults += 1;
      printLine(options["json"] ? JSON.stringify(fault) : faultSentence(fault));
    };
    const onProgress = (checked: number, { table, key }: CheckPosition) => {
      if (checked - reported < reportEvery) return;
      reported = checked;
      printProgress(`${checked} pictures`, `${table}:${key}`);
    };
    const checked = await checkImages(installation, { onFault, onProgress }, from);
    if (!options["json"]) printLine(`${checked} pictures checked, ${faults || "no"} faults found.`);
    return faults === 0 ? 0 : 1;
  };
}

/** The position to continue from, as an interrupted command printed it. */
function parsePosition(command: string, text: Options[string]): CheckPosition | null {
  if (text === undefined) return null;
  const [table = "", key = ""] = String(text).split(":");
  const found = imageTableNames.find((name) => name === table);
  if (found && /^[0-9a-f]{32}$/.test(key)) return { table: found, key };
  throw usageError(`--after is ${String(text)}, but must be a place that ${command} printed.`);
}

function faultSentence({ fault, area, key, file }: Fault): string {
  const where = `${key}${area === "private" ? " (of a message)" : ""}`;
  if (fault === "orphan") return `orphan   ${where}: no row names these files`;
  return `${fault.padEnd(8)} ${where}: ${file}`;
}

/** move-pictures: from IMAGE_STORE_FROM to IMAGE_STORE, while servers use both. */
function prepareMove({ options }: ParsedArguments): CommandWork {
  const after = parsePosition("move-pictures", options["after"]);
  const remove = options["remove"] === true;
  return async ({ db, config }) => {
    const { dataDir, imageStore, imageStoreFrom } = config;
    if (!imageStoreFrom) {
      printLine("IMAGE_STORE_FROM is empty: set it to the store that pictures are moved from.");
      return 1;
    }
    const log = pino({ level: "silent" });
    const from = openStores(dataDir, imageStoreFrom, log);
    const to = openStores(dataDir, imageStore, log);
    const folder = join(dataDir, "tmp");
    const onProgress = (moved: Moved, { table, key }: CheckPosition) =>
      printProgress(movedSentence(moved), `${table}:${key}`);
    const onFault = printFault("not moved");
    const toHost = imageStore.kind === "imgbb";
    const deps = { db, from, to, folder, toDisk: imageStore.kind !== "s3", toHost };
    const moved = await moveImages(deps, { onFault, onProgress }, { after, remove });
    printLine(`${movedSentence(moved)}.`);
    if (moved.faults > 0) return 1;
    printLine(
      remove
        ? "Everything was compared and removed from IMAGE_STORE_FROM: you can unset it and restart."
        : "Everything is in IMAGE_STORE. With --remove it is compared once more and removed from IMAGE_STORE_FROM.",
    );
    return 0;
  };
}

function movedSentence({ copied, known, faults, bytes }: Moved): string {
  const mega = (bytes / 1_000_000).toFixed(1);
  return `${copied} pictures copied (${mega} MB), ${known} there already, ${faults} not moved`;
}

/** renew-images: the widths that images of an earlier version do not have. */
function prepareRenewal({ options }: ParsedArguments): CommandWork {
  const after = String(options["after"] ?? "");
  if (!/^([0-9a-f]{32})?$/.test(after)) {
    throw usageError(`--after is ${after}, but must be a place that renew-images printed.`);
  }
  return async ({ db, store, config: { dataDir } }) => {
    const onProgress = (renewed: Renewed, key: string) =>
      printProgress(renewedSentence(renewed), key);
    const onFault = printFault("not renewed");
    const renewed = await renewImages({ db, store, dataDir }, { onFault, onProgress }, after);
    printLine(`${renewedSentence(renewed)}.`);
    return renewed.faults === 0 ? 0 : 1;
  };
}

const renewedSentence = ({ looked, renewed, faults }: Renewed): string =>
  `${looked} images looked at, ${renewed} renewed, ${faults} not`;
