import { printLine } from "#server/platform/admin/print.ts";
import { usageError, type Options } from "#server/platform/admin/command-line.ts";
import { renewImages, type Renewed } from "#server/features/posts/index.ts";
import type { Installation } from "#server/installation.ts";

/** renew-images: the widths that images of an earlier version do not have. */
export function prepareImageRenewal({ options }: { options: Options }) {
  const after = String(options["after"] ?? "");
  if (!/^([0-9a-f]{32})?$/.test(after)) {
    throw usageError(`--after is ${after}, but must be a place that renew-images printed.`);
  }
  return async ({ db, store, config: { dataDir } }: Installation): Promise<number> => {
    const onProgress = (renewed: Renewed, key: string) => {
      // On stderr, because a script may read stdout.
      process.stderr.write(`${sentenceOf(renewed)}; to go on from here: --after ${key}\n`);
    };
    const renewed = await renewImages({ db, store, dataDir }, { onFault, onProgress }, after);
    printLine(`${sentenceOf(renewed)}.`);
    return renewed.faults === 0 ? 0 : 1;
  };
}

const onFault = ({ key, why }: { key: string; why: string }) =>
  printLine(`not renewed ${key}: ${why}`);

const sentenceOf = ({ looked, renewed, faults }: Renewed): string =>
  `${looked} images looked at, ${renewed} renewed, ${faults} not`;
