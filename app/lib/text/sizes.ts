import { formatSize } from "#shared/sizes.ts";
import * as words from "#messages/text.json";

const units = words.sizeUnits.split(" ");
const englishUnits = ["TB", "GB", "MB", "kB"];

/** "1.2 GB" in the way of the language: "1,2 Go". */
export function sizeText(bytes: number): string {
  const [number = "", unit = ""] = formatSize(bytes).split(" ");
  return `${number.replace(".", words.decimal)} ${units[englishUnits.indexOf(unit)] ?? unit}`;
}
