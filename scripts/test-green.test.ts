import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { smallProject } from "./test/small-project.ts";

type Tried = { commit: string; tree: string };
type Green = {
  beginGreen: () => Tried | null;
  writeGreen: (before: Tried, run: object) => void;
};

test("what is green is a commit that nothing was added to, before the run or during it", async () => {
  const { root, write } = smallProject();
  const git = (...words: string[]) => {
    const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    return execFileSync("git", [...author, ...words], { cwd: root, encoding: "utf8" }).trim();
  };
  write(".gitignore", "test-results/");
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "All there is");
  const module = pathToFileURL(join(root, "scripts", "lib", "test-green.mjs")).href;
  const { beginGreen, writeGreen } = (await import(module)) as Green;
  const file = join(root, "test-results", "green");

  const tried = beginGreen() as Tried;
  expect(tried).toEqual({
    commit: git("rev-parse", "HEAD"),
    tree: git("rev-parse", "HEAD^{tree}"),
  });
  writeGreen(tried, { command: "npm test", passed: 3 });
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ ...tried, passed: 3 });

  expect(beginGreen()).toEqual(tried);
  expect(existsSync(file)).toBe(false);
  write("left.txt", "by a test");
  writeGreen(tried, {});
  expect(existsSync(file)).toBe(false);
  expect(beginGreen()).toBe(null);
});
