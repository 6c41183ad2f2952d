import { readFileSync } from "node:fs";

/** A test that docs/specification.md names; `title` is its name where `whole`, else how it begins. */
type NamedTest = { file: string; title: string; whole: boolean };

export const specification = readFileSync(new URL("specification.md", import.meta.url), "utf8");

/** `file` “title”; “another of the same file, by its beginning…” */
export function namedTests(row: string): NamedTest[] {
  let file = "";
  return [...row.matchAll(/`([^`]+)`|“([^”]+)”/g)].flatMap(([, path, title]) => {
    file = path ?? file;
    if (title === undefined) return [];
    return [{ file, title: title.replace(/…$/, ""), whole: !title.endsWith("…") }];
  });
}

const rows = specification.split("\n").filter((line) => line.startsWith("|"));

export const everyNamedTest = rows.flatMap(namedTests);

/**
 * The stories of `npm test`: all that a numbered statement names, and of a row beyond the specification the
 * first one, if nothing else shows it.
 */
export const usualStories = rows.flatMap((row) => {
  const tests = namedTests(row);
  const stories = tests.filter(({ file }) => file.endsWith(".story.ts"));
  if (/^\| \d/.test(row)) return stories;
  return stories.length === tests.length ? stories.slice(0, 1) : [];
});
