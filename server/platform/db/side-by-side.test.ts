import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/**
 * Earlier ones were installed while the server was stopped, or were tested side by side when they were new.
 */
const first = "0074";
const folder = join(import.meta.dirname, "../../migrations");

/** Changes that break processes of the previous release, which serve requests while this one migrates. */
const contracting: [string, RegExp][] = [
  ["drops a table", /\bdrop table\b/],
  ["drops a column", /\bdrop column\b/],
  ["drops a view", /\bdrop (materialized )?view\b/],
  ["renames", /\balter (table|type|function)\b[^;]*\brename\b/],
  ["changes a type", /\balter (column )?\w+ (set data )?type\b/],
  ["takes a default away", /\bdrop default\b/],
];

/** Without comments and the bodies of functions. */
function statementsOf(text: string): string {
  return text
    .replaceAll(/--[^\n]*/g, "")
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .toLowerCase()
    .replaceAll(/\s+/g, " ");
}

/**
 * Why the previous release could not continue after this migration; empty if it can, or if a comment
 * explains it.
 */
function contractions(text: string, filled: ReadonlySet<string | undefined> = new Set()): string[] {
  if (/^-- contracts: \S/m.test(text)) return [];
  const statements = statementsOf(text);
  const found = contracting.filter(([, pattern]) => pattern.test(statements)).map(([what]) => what);
  const made = new Set(
    [...statements.matchAll(/\badd column (?:if not exists )?(\w+)/g)].map(([, name]) => name),
  );
  for (const [column] of statements.matchAll(/\badd column [^,;]*(\([^)]*\)[^,;]*)*/g)) {
    if (/\bnot null\b/.test(column) && !/\b(default|generated)\b/.test(column))
      found.push("adds a column that must be filled");
  }
  for (const [, table, column] of statements.matchAll(
    /\balter table (\w+)[^;]*\balter (?:column )?(\w+) set not null/g,
  )) {
    if (!made.has(column) && !filled.has(table)) found.push("demands a column that may be empty");
  }
  return found;
}

const migrations = readdirSync(folder).filter((name) => name.endsWith(".sql") && name >= first);
const textOf = (name: string) => readFileSync(join(folder, name), "utf8");
/** Tables in which a trigger fills the columns that the previous release leaves empty. */
const filled = new Set(
  migrations.flatMap((name) =>
    [...statementsOf(textOf(name)).matchAll(/\bbefore insert(?: or update)? on (\w+)/g)].map(
      ([, table]) => table,
    ),
  ),
);

test.each(migrations.map((name) => [name]))("%s leaves what the previous release uses", (name) => {
  expect(contractions(textOf(name), filled)).toEqual([]);
});

test.each([
  ["alter table posts drop column mood;", ["drops a column"]],
  ["drop table moods;", ["drops a table"]],
  ["alter table posts\n  rename column mood to state;", ["renames"]],
  ["alter table posts alter column mood type text;", ["changes a type"]],
  ["alter table posts add column mood text not null;", ["adds a column that must be filled"]],
  ["alter table posts alter column mood set not null;", ["demands a column that may be empty"]],
  ["-- contracts: nobody has read it since 1.4\nalter table posts drop column mood;", []],
  [
    "alter table posts add column mood text not null default '' check (octet_length(mood) < 9);",
    [],
  ],
  ["alter table posts add column mood text; alter table posts alter column mood set not null;", []],
  ["create table moods (id uuid primary key, mood text not null); -- drop table", []],
  ["alter table posts drop constraint posts_kind; drop index posts_mood;", []],
])("%s", (text, expected) => {
  expect(contractions(text)).toEqual(expected);
});
