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

export const everyNamedTest = specification
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .flatMap(namedTests);
