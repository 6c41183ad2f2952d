import type { Options } from "#server/platform/admin/command-line.ts";

/** What people typed, on one line of a terminal: nothing in it may move the cursor. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, "");
}

export const printLine = (text: string) => void process.stdout.write(`${text}\n`);

/** What was found: JSON for a script, or as `print` says it to people. */
export function printResult<Found>(
  { json }: Options,
  found: Found,
  print: (found: Found) => void,
): void {
  if (json) printLine(JSON.stringify(found, null, 2));
  else print(found);
}

/** How to read on, where there is more. */
export function printMore(cursor: string | null): void {
  if (cursor) printLine(`There are more. To continue, add --after ${cursor}`);
}

export const dayOf = (time: Date | number) => new Date(time).toISOString().slice(0, 10);
