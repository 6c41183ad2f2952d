import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { messageFiles, readMessages, saidFiles } from "./read.ts";

const root = join(import.meta.dirname, "..");
const sources = ["app", "server", "shared"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
    .map((name) => readFileSync(join(root, folder, name), "utf8")),
);
/** What the server speaks from is handed on there, as `words` or `messages`, and may be chosen by a name in quotes. */
const handedOn = new Set(["letters.json", "plain.json", "pushes.json"]);

const all = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, one = ""]) => one);

/** The names that a source file reads of a file of messages: `words.signIn`, `import { signIn }`. */
function readIn(text: string, file: string): string[] {
  const isHandedOn = handedOn.has(file);
  if (!isHandedOn && !text.includes(`/${file}"`) && !text.includes(`"${file}"`)) return [];
  const from = `from "#messages/${file}"`;
  const asked = `messages(?:In|Of)\\(\\w+, "${file}"\\)`;
  const given = isHandedOn ? `|\\}: \\w+\\["words"\\]` : "";
  const aliases = all(text, new RegExp(`import (?:\\* as )?(\\w+) ${from}`, "g"));
  if (isHandedOn) aliases.push("words", "messages");
  const picked = all(text, new RegExp(`\\{([^{}]*)(?:\\} ${from}|\\} = ${asked}${given})`, "g"));
  return [
    ...aliases.flatMap((alias) => all(text, new RegExp(`\\b${alias}\\s*\\.\\s*(\\w+)`, "g"))),
    ...all(text, new RegExp(`${asked}\\.(\\w+)`, "g")),
    ...picked.flatMap((names) => all(names, /(\w+)(?: as \w+)?/g)),
    ...(isHandedOn ? all(text, /"(\w+)"/g) : []),
  ];
}

// The server's own sentences are compared with what it says in messages.test.ts.
test.each(messageFiles().filter((file) => !saidFiles.includes(file)))(
  "each message of %s is read somewhere",
  (file) => {
    const read = new Set(sources.flatMap((text) => readIn(text, file)));
    expect(Object.keys(readMessages("en", file)).filter((name) => !read.has(name))).toEqual([]);
  },
);
