import { countJson } from "#shared/json-bounds.ts";
import { invalid } from "#shared/exports/invalid.ts";

/** Of one file. Our own have about 5,000 values, four levels deep. */
const ofOneFile = { depth: 32, values: 250_000 };
/** Of others: one list of all posts, which is parsed post by post. */
export const ofLongList = { depth: 32, values: 5_000_000 };
/** Of all files: a million messages have 20 values each, 200,000 posts with their photos about 30. */
const ofAllFiles = { bytes: 1024 ** 3, values: 40_000_000 };
/**
 * How much text an archive may unpack to depends on its size: our own texts shrink to a tenth, so making a
 * machine read a gigabyte requires sending part of it. A small archive may be very repetitive.
 */
const perByteSent = 40;
const anyArchive = 32 * 1024 * 1024;

/**
 * Adds up the size of the texts in an archive of `bytes`, before they are parsed. Refuses with
 * archive-invalid more than an honest archive can contain.
 */
export function createTextBudget({ bytes }: { bytes: number }, most = ofOneFile) {
  const mostBytes = Math.min(ofAllFiles.bytes, anyArchive + perByteSent * bytes);
  const spent = { files: 0, bytes: 0, values: 0 };

  function spend(name: string, json: Uint8Array): void {
    spent.files += 1;
    spent.bytes += json.length;
    if (spent.bytes > mostBytes)
      throw invalid("The text files in this archive are too large when unpacked.");
    const values = countJson(json, most);
    if (values === "too-deep") throw invalid(`${name} in this archive is nested too deeply.`);
    if (values === "too-many") throw invalid(`${name} in this archive is too large.`);
    spent.values += values;
    if (spent.values > ofAllFiles.values)
      throw invalid("The text files in this archive are too large.");
  }

  return { spend, spent };
}
