import { commands, usage } from "#server/admin/commands.ts";
import { parseWords, type StandaloneWork } from "#server/admin/command-line.ts";
import type { Installation, Opens } from "#server/installation.ts";

/** Work to do in an open installation, or beside it; or a text to show and the exit code to end with. */
export type ParsedCommand =
  | {
      work: (installation: Installation) => Promise<number>;
      opens: Opens | null;
      text?: never;
    }
  | { work: null; standalone: StandaloneWork; text?: never }
  | { work: null; text: string; exitCode: number };

const wrong = (sentence: string) => ({
  work: null,
  text: `${sentence}\n\n${usage}\n`,
  exitCode: 2,
});

/**
 * Makes a command of what was typed, before anything is opened. Exit codes: 0 done, 1 not done (no
 * such account, something found, the database away), 2 the words make no command.
 */
export function parseCommand(words: readonly string[]): ParsedCommand {
  const [name = "help", ...rest] = words;
  if (["help", "--help", "-h"].includes(name)) {
    return { work: null, text: `${usage}\n`, exitCode: 0 };
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return wrong(`"${name}" isn't a command.`);
  try {
    const given = parseWords(rest, command);
    if ("standalone" in command) return { work: null, standalone: command.standalone(given) };
    const work = command.prepare(given);
    return {
      work: async (installation) => (await work(installation)) ?? 0,
      opens: command.opens ?? null,
    };
  } catch (error) {
    const { name: kind, message } = error as Error;
    if (kind !== "WrongUsage") throw error;
    return wrong(message);
  }
}
