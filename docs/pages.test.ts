import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");
const decisions = readdirSync(`${root}/docs/decisions`).filter((name) => /^\d{4}-/.test(name));

test("every decision has one line in the index, under its own title, with the numbers that it includes", () => {
  const index = read("docs/decisions/README.md");
  const lines = [...index.matchAll(/^\| (\d+) +\| \[(.+)\]\((\S+)\) +\| ([\d, ]*)\|$/gm)];
  expect(lines.map(([, , , file]) => file).toSorted()).toEqual(decisions.toSorted());
  const numbers = lines.flatMap(([, number = "", title, file, included = ""]) => {
    const text = read(`docs/decisions/${file}`);
    expect(text.split("\n", 1)[0]).toBe(`# ${number}. ${title}`);
    const others = included.trim();
    expect(text).toContain(`**Status.** Accepted.${others ? ` Includes ${others}.` : ""}\n`);
    return [number, ...others.split(", ").filter(Boolean)];
  });
  expect(new Set(numbers).size).toBe(numbers.length);
});

test.each(decisions)("%s is short, and says why, what and what follows", (file) => {
  const text = read(`docs/decisions/${file}`);
  for (const part of ["Context", "Decision", "Consequences"])
    expect(text).toContain(`**${part}.** `);
  expect(text.replaceAll(/\]\([^()]*\)/g, "]").split(/\s+/).length).toBeLessThanOrEqual(250);
});

test.each(["CONTRIBUTING.md", "docs/architecture.md", "README.md", "SECURITY.md"])(
  "every path that %s names exists",
  (page) => {
    const paths = [
      ...read(page).matchAll(/`((?:app|server|shared|docs|scripts|bench|e2e|demo)\/[\w./-]*)`/g),
    ];
    const missing = paths
      .map(([, path = ""]) => path)
      .filter((path) => !existsSync(`${root}/${path}`));
    expect(missing).toEqual([]);
  },
);
