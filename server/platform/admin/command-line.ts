import { parseArgs } from "node:util";
import type { Config } from "#server/config.ts";
import type { Opens } from "#server/platform/admin/open.ts";

/** An option is a flag, or takes a value. */
export const flag = { type: "boolean" } as const;
export const value = { type: "string" } as const;
export type Options = Record<string, string | boolean | undefined>;

/** The parsed arguments, checked before anything is opened. */
export type ParsedArguments = { options: Options; operands: string[] };

/** Runs the command in an open installation; returns the exit code if it is not 0. */
export type CommandWork<On> = (installation: On) => Promise<number | void>;
/** Runs the command without opening the installation; returns the exit code. */
export type StandaloneWork = (config: Config) => Promise<number>;

/** A command for operators; `On` is the type of an open installation. */
export type Command<On> = {
  /** each way to use it: its arguments, and lines that explain it */
  uses: readonly [takes: string, ...means: string[]][];
  options?: Record<string, typeof flag | typeof value>;
  /** how many operands it takes; none if not given */
  operands?: readonly [least: number, most: number];
} & (
  | {
      prepare: (given: ParsedArguments) => CommandWork<On>;
      /** how it opens the installation */
      opens?: Opens;
    }
  | { standalone: (given: ParsedArguments) => StandaloneWork }
);

export const oneOperand = [1, 1] as const;

/** The error for words that are not a command: exit code 2, and the usage is shown. */
export function usageError(message: string): Error {
  return Object.assign(new Error(message), { name: "WrongUsage" });
}

/** Parses the words after a command's name. Throws usageError with a sentence. */
export function parseWords(
  words: readonly string[],
  { options = {}, operands: [least, most] = [0, 0] }: Pick<Command<never>, "options" | "operands">,
): ParsedArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
    });
    if (positionals.length < least) throw usageError("Something is missing.");
    if (positionals.length > most)
      throw usageError(`"${positionals[most]}" is one argument too many.`);
    return { options: values as Options, operands: positionals };
  } catch (error) {
    const { name, message } = error as Error;
    throw name === "WrongUsage" ? error : usageError(`${message.split(/[.\n]/, 1)[0]}.`);
  }
}

/** The number an option gives. Throws usageError with a sentence. */
export function wholeNumber(
  option: string,
  given: string | boolean | number,
  most: number,
): number {
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw usageError(`--${option} is ${String(given)}, but must be a number from 1 to ${most}.`);
}

/** Where a list continues: the cursor that the previous call printed at its end. */
export const cursorFrom = ({ after }: Options): string | null => (after ? String(after) : null);

/** The number of days in --days; null without it. Throws usageError with a sentence. */
export const daysFrom = ({ days }: Options, most: number): number | null =>
  days === undefined ? null : wholeNumber("days", days, most);
