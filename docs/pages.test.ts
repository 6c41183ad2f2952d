import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");
const decisions = readdirSync(`${root}/docs/decisions`).filter((name) => /^\d{4}-/.test(name));

test("every decision has one line in the index, under its own title", () => {
  const index = read("docs/decisions/README.md");
  const lines = [...index.matchAll(/^\| (\d+) +\| \[(.+)\]\((\S+)\) +\| (.+?) +\|$/gm)];
  expect(lines.map(([, , , file]) => file).toSorted()).toEqual(decisions.toSorted());
  for (const [, number, title, file, status] of lines) {
    expect(read(`docs/decisions/${file}`).split("\n", 1)[0]).toBe(`# ${number}. ${title}`);
    expect(status).toMatch(/^(accepted|amended by \d+(?:, \d+)*|superseded by \d+)$/);
  }
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
