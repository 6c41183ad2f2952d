import type { Options } from "#server/platform/admin/command-line.ts";

/** Makes what people typed safe for one line of a terminal: nothing in it may move the cursor. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, "");
}

export const printLine = (text: string) => void process.stdout.write(`${text}\n`);

/** Prints a result: as JSON for a script, or with `print` for people. */
export function printResult<Found>(
  { json }: Options,
  found: Found,
  print: (found: Found) => void,
): void {
  if (json) printLine(JSON.stringify(found, null, 2));
  else print(found);
}

/** Says how to get the next page, if there is one. */
export function printMore(cursor: string | null): void {
  if (cursor) printLine(`There are more. To continue, add --after ${cursor}`);
}

export const dayOf = (time: Date | number) => new Date(time).toISOString().slice(0, 10);
