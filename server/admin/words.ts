import { parseArgs } from "node:util";

/** An option of a command: a flag, or one that takes a value. */
type Option = "flag" | "value";
export type Options = Record<string, string | boolean | undefined>;

/** What was typed, sorted; checked before anything is opened. */
export type Given = { options: Options; operands: string[] };

/** What a command takes: its options, and how many words beside them. */
export type Shape = {
  options: Record<string, Option>;
  operands: readonly [least: number, most: number];
};

/** The error for words that make no command: exit code 2, and the usage is shown. */
export function wrongUsage(message: string): Error {
  return Object.assign(new Error(message), { name: "WrongUsage" });
}

/** Sorts what was typed after a command's name. Throws wrongUsage with a sentence. */
export function readWords(
  words: readonly string[],
  { options: known, operands: [least, most] }: Shape,
): Given {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, kind]) => [
      name,
      { type: kind === "flag" ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
    });
    if (positionals.length < least) throw wrongUsage("Something is missing.");
    if (positionals.length > most)
      throw wrongUsage(`"${positionals[most]}" is one argument too many.`);
    return { options: values as Options, operands: positionals };
  } catch (error) {
    const { name, message } = error as Error;
    throw name === "WrongUsage" ? error : wrongUsage(`${message.split(/[.\n]/, 1)[0]}.`);
  }
}
