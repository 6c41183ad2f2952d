import { parseArgs } from "node:util";
import type { Config } from "#server/config.ts";
import type { Opens } from "#server/platform/admin/open.ts";

/** What an option is: there or not, or with a value behind it. */
export const flag = { type: "boolean" } as const;
export const value = { type: "string" } as const;
export type Options = Record<string, string | boolean | undefined>;

/** What was typed, sorted; checked before anything is opened. */
export type ParsedArguments = { options: Options; operands: string[] };

/** Does it, in an open installation; answers the exit code where that is not 0. */
export type CommandWork<On> = (installation: On) => Promise<number | void>;
/** Does it beside the installation, which stays closed; answers the exit code. */
export type StandaloneWork = (config: Config) => Promise<number>;

/** A command of the operator's; `On` is what an open installation is. */
export type Command<On> = {
  /** each way to use it: what stands behind its name, and what that does, in lines */
  uses: readonly [takes: string, ...means: string[]][];
  options?: Record<string, typeof flag | typeof value>;
  /** how many words beside the options; else none */
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

/** The error for words that make no command: exit code 2, and the usage is shown. */
export function usageError(message: string): Error {
  return Object.assign(new Error(message), { name: "WrongUsage" });
}

/** Sorts what was typed after a command's name. Throws usageError with a sentence. */
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

/** The number behind an option. Throws usageError with a sentence. */
export function wholeNumber(
  option: string,
  given: string | boolean | number,
  most: number,
): number {
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw usageError(`--${option} is ${String(given)}, but must be a number from 1 to ${most}.`);
}

/** Where a list goes on: what it printed at its end. */
export const cursorFrom = ({ after }: Options): string | null => (after ? String(after) : null);

/** The days that --days says; null where it does not. Throws usageError with a sentence. */
export const daysFrom = ({ days }: Options, most: number): number | null =>
  days === undefined ? null : wholeNumber("days", days, most);
