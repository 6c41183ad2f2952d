import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { everyNamedTest, namedTests, specification as page } from "./named-tests.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

type Row = { number: string; where: string; shownBy: string; status: string };

/** The rows of statements: `| 2.1 | statement | where | shown by | status |`. */
const rows: Row[] = page.split("\n").flatMap((line) => {
  const [, number = "", , where = "", shownBy = "", status = ""] = line
    .split("|")
    .map((cell) => cell.trim());
  return /^[1-9]\.\d+$/.test(number) ? [{ number, where, shownBy, status }] : [];
});

/** What may be named: the text a test, a story or a group of them begins with. */
function titlesIn(file: string): string[] {
  const source = readFileSync(`${root}/${file}`, "utf8");
  return [...source.matchAll(/\(\s*(["'`])((?:\\.|(?!\1).)+)\1/g)].map(([, , title = ""]) => title);
}

test("every file that the page names exists", () => {
  const files = [...page.matchAll(/`([\w./-]+\.(?:tsx?|sql|md))`/g)].map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(rows.length);
  expect([...new Set(files)].filter((file) => !existsSync(`${root}/${file}`))).toEqual([]);
});

test("every test and story that the page names exists", () => {
  const missing = everyNamedTest.filter(({ file, title, whole }) => {
    const titles = titlesIn(file);
    return !titles.some((one) => (whole ? one === title : one.startsWith(title)));
  });
  expect(missing).toEqual([]);
});

test("what is done says where it lives and is shown by a test, what is not yet says with what it comes", () => {
  for (const { number, where, shownBy, status } of rows) {
    expect(status, number).toMatch(/^(done|not yet: [a-z ]+)(, D\d+)?$/);
    if (status.startsWith("not yet")) continue;
    expect(where, number).toMatch(/^`/);
    expect(namedTests(shownBy), number).not.toEqual([]);
  }
});

test("statements are numbered through, and the page counts them rightly", () => {
  const count = (status: string) => rows.filter((row) => row.status.startsWith(status)).length;
  const [said] = /^\d+ statements: \d+ done, \d+ not yet/m.exec(page) ?? [];
  expect(said).toBe(
    `${rows.length} statements: ${count("done")} done, ${count("not yet")} not yet`,
  );
  let before = { section: 0, nth: 0 };
  for (const { number } of rows) {
    const [section = 0, nth = 0] = number.split(".").map(Number);
    const next = section === before.section ? before.nth + 1 : 1;
    expect(nth, number).toBe(next);
    before = { section, nth };
  }
  expect(before.section).toBe(9);
});

test("every deviation that a statement names stands in the table, and each of the table is named", () => {
  const listed = [...page.matchAll(/^\| (D\d+) +\|/gm)].map(([, name]) => name);
  expect(new Set(listed).size).toBe(listed.length);
  const named = rows.flatMap(({ status }) => status.match(/D\d+/g) ?? []);
  expect(named.filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => !named.includes(name ?? ""))).toEqual([]);
});
