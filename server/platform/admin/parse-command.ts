import type { Opens } from "#server/platform/admin/open.ts";
import {
  parseWords,
  type StandaloneWork,
  type Command,
} from "#server/platform/admin/command-line.ts";

/** Work to do in an open installation or without it; or a text to show and the exit code to end with. */
type ParsedCommand<On> =
  | {
      work: (installation: On) => Promise<number>;
      opens: Opens | null;
      text?: never;
    }
  | { work: null; standalone: StandaloneWork; text?: never }
  | { work: null; text: string; exitCode: number };

/** The commands by name, in the order in which they are explained, and the notes below them. */
type Known<On> = { commands: Readonly<Record<string, Command<On>>>; notes: string };

/** The column at which the explanation of a command begins. */
const indent = " ".repeat(35);

const usageOf = <On>({ commands, notes }: Known<On>) => `npm run admin -- <command>

${Object.entries(commands).map(explain).join("\n")}

${notes}
`;

function explain<On>([name, { uses }]: [string, Command<On>]): string {
  const explained = uses.map(([takes, ...means]) => {
    const words = `  ${name} ${takes}`.trimEnd();
    const start =
      words.length < indent.length ? words.padEnd(indent.length) : `${words}\n${indent}`;
    return start + means.join(`\n${indent}`);
  });
  return explained.join("\n");
}

/**
 * Creates the function that parses the words of a command, before anything is opened. Exit codes: 0 done,
 * 1 not done (no such account, something found, the database not available), 2 the words are not a command.
 */
export const createCommandParser =
  <On>(known: Known<On>) =>
  ([name = "help", ...rest]: readonly string[]): ParsedCommand<On> => {
    const wrong = (sentence: string) => ({
      work: null,
      text: `${sentence}\n\n${usageOf(known)}`,
      exitCode: 2,
    });
    if (["help", "--help", "-h"].includes(name)) {
      return { work: null, text: usageOf(known), exitCode: 0 };
    }
    const { commands } = known;
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
  };
