import { expect, test, vi } from "vitest";
import { parseCommand } from "#server/commands/commands.ts";
import type { Installation } from "#server/installation.ts";

test.each([
  [["remove"], '"remove" isn\'t a command.'],
  [["toString"], '"toString" isn\'t a command.'],
  [["show"], "Something is missing."],
  [["show", "a", "b"], '"b" is one argument too many.'],
  [["show", "a", "--force"], "Unknown option '--force'."],
  [["show", "a", "--json=yes"], "does not take an argument"],
  [["list", "--limit", "many"], "--limit is many, but must be a number from 1 to 1000."],
  [["list", "--limit"], "argument missing"],
  [["verdict", "any", "erase", "why"], '"erase" is no verdict.'],
  [["verdict", "any", "suspend", "why", "--days", "0"], "--days is 0, but must be a number"],
  [["list", "--suspended", "--leaving"], "--suspended and --leaving can't be combined."],
  [["role", "ada", "give", "king"], '"king" isn\'t a role. Roles: "moderator" and "operator".'],
  [["role", "ada", "lend", "moderator"], 'not "lend".'],
  [["check-pictures", "--after", "posts:1"], "--after is posts:1, but must be a place"],
  [["new-secrets", "now"], '"now" is one argument too many.'],
  [["doctor", "--repair"], "Unknown option '--repair'."],
  [["delete", "ada"], "There's no terminal to ask in. Add --yes to delete without asking."],
])(
  "the words %j are answered with a sentence and exit code 2, before anything is opened",
  (words, sentence) => {
    const { work, text, ...rest } = parseCommand(words);
    expect(work).toBeNull();
    expect(rest).toEqual({ exitCode: 2 });
    expect(text).toContain(sentence);
    expect(text).toContain("npm run admin -- <command>");
  },
);

test.each([[[]], [["help"]], [["--help"]]])("the words %j show the usage", (words) => {
  expect(parseCommand(words)).toMatchObject({ work: null, exitCode: 0 });
});

test("names of people cannot control the terminal", async () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const evil = {
    username: "eve",
    name: "Eve\u001b[2J\u202e\u0000\nroot",
    email: "eve@example.org",
    posts: 0,
    role: "member",
    createdAt: new Date(0),
    suspendedAt: null,
    deletionDueAt: null,
  };
  const list = async () => ({ items: [evil], nextCursor: null });
  const installation = { features: { administration: { list } } } as unknown as Installation;
  expect(await parseCommand(["list"]).work?.(installation)).toBe(0);
  vi.restoreAllMocks();
  expect(written).toEqual(["@eve  Eve[2Jroot  eve@example.org  0 posts  1970-01-01  active\n"]);
});
