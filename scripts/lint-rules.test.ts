import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What the linter says of a file with this text in this folder of the project; `other` is other.ts beside it. */
function lint(
  folder: string,
  text: string,
  { name = "tried.ts", options = [] as string[], other = "" } = {},
): string {
  const place = mkdtempSync(join(root, folder, "lint-rules-"));
  try {
    const file = join(place, name);
    writeFileSync(file, text);
    if (other) writeFileSync(join(place, "other.ts"), other);
    const oxlint = join(root, "node_modules/oxlint/bin/oxlint");
    const { stdout } = spawnSync(process.execPath, [oxlint, ...options, file], {
      cwd: root,
      encoding: "utf8",
    });
    return stdout;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const importing = (source: string, name = "thing") =>
  `import { ${name} } from "${source}";\nexport const used = ${name};\n`;

describe("the linter", () => {
  test.each([
    [
      "a screen that reaches into the server",
      "app/screens",
      "#server/features/posts/likes/likes.ts",
    ],
    ["a screen that opens a pool", "app/screens", "pg"],
    ["a control that knows the product", "app/ui", "#app/features/posts/caption.tsx"],
    ["a server that imports screens", "server/features", "#app/lib/text/links.ts"],
    ["SQL's neighbour that imports screens", "server/db", "#app/lib/text/links.ts"],
    ["shared code that needs the server", "shared", "#server/features/posts/likes/likes.ts"],
    ["shared code that needs the machine", "shared", "node:fs"],
    ["shared code that needs a library", "shared", "pg"],
  ])("refuses %s", (_what, folder, source) => {
    expect(lint(folder, importing(source))).toContain("no-restricted-imports");
  });

  test("refuses SQL in a rule, and takes it beside it", () => {
    const text = importing("#server/db/sql.ts", "sql");
    expect(lint("server/features", text)).toContain("no-restricted-imports");
    const beside = { name: "tried.queries.ts" };
    expect(lint("server/features", text, beside)).not.toContain("no-restricted");
  });

  test("refuses a second reader of the environment", () => {
    const text = "export const port = process.env.PORT;\n";
    expect(lint("server/features", text)).toContain("no-restricted-properties");
  });

  test.each([
    ["past a district's index.ts", "server/api", "#server/features/posts/likes/likes.ts"],
    [
      "past it inside the features",
      "server/features/talk",
      "#server/features/people/blocks/blocks.ts",
    ],
    ["a later district", "server/features/people", "#server/features/talk/index.ts"],
    ["its own index.ts", "server/features/posts", "#server/features/posts/index.ts"],
  ])("refuses an import %s", (_what, folder, source) => {
    expect(lint(folder, importing(source))).toContain("house(districts)");
    expect(lint(folder, importing(source).replace("import", "import type"))).toContain("districts");
  });

  test("takes an earlier district's index.ts, and any file of its own district", () => {
    const earlier = lint("server/features/talk", importing("#server/features/people/index.ts"));
    const own = lint("server/features/posts", importing("#server/features/posts/posts.ts"));
    expect(earlier + own).not.toContain("districts");
  });

  test("refuses a circle of files, be it one of types alone", () => {
    const text =
      'import type { Other } from "./other.ts";\nexport type Tried = { other: Other | null };\n';
    const other =
      'import type { Tried } from "./tried.ts";\nexport type Other = { tried: Tried };\n';
    expect(lint("shared", text, { other })).toContain("no-cycle");
    expect(lint("shared", text, { other: "export type Other = string;\n" })).not.toContain(
      "no-cycle",
    );
  });

  test("refuses a feature's import of one that needs it, itself or through others", () => {
    for (const source of ["posts/post-card.tsx", "feed/feed.tsx"]) {
      const text = importing(`#app/features/${source}`);
      expect(lint("app/features/likes", text)).toContain("features(no-circles)");
      expect(lint("app/features/likes", text.replace("import", "import type"))).toContain(
        "circles",
      );
      expect(lint("app/features/profiles", text)).not.toContain("circles");
    }
  });

  test.each([
    ["text between brackets", "/<[^>]*>/g"],
    ["a number", "/^\\d*\\.?\\d+$/"],
    ["a part of a path", "/[^/]*@[^/]*/"],
    ["white space at the end", "/\\s+$/"],
  ])("refuses an expression that takes the square of a text: %s", (_what, pattern) => {
    const text = `export const pattern = ${pattern};\n`;
    for (const folder of ["app/lib", "server/mastodon", "shared", "public"]) {
      expect(lint(folder, text)).toContain("regexp(no-super-linear");
    }
    const linear = "export const pattern = /<[^<>]*>/g;\n";
    expect(lint("shared", linear)).not.toContain("regexp(");
  });

  const options = ["--type-aware", "--config", ".oxlint-types.json"];

  test("refuses a promise that nobody waits for", () => {
    const text = "const ask = async () => 1;\nexport const go = () => {\n  ask();\n};\n";
    expect(lint("shared", text, { options })).toContain("no-floating-promises");
    const ignored = text.replace("  ask();", "  void ask();");
    expect(lint("shared", ignored, { options })).not.toContain("floating");
  });

  test("refuses a second word for a test, and a constant in capitals", () => {
    const text = 'import { it } from "vitest";\nit("works", () => {});\n';
    const name = "tried.test.ts";
    expect(lint("shared", text, { name, options })).toContain("consistent-test-it");
    const renamed = text.replaceAll(/\bit\b/g, "test");
    expect(lint("shared", renamed, { name, options })).not.toContain("consistent-test-it");
    expect(lint("shared", "export const MOST_WORDS = 5;\n", { options })).toContain("id-match");
    expect(lint("shared", "export const mostWords = 5;\n", { options })).not.toContain("id-match");
  });

  test("takes what is allowed", () => {
    expect(lint("app/screens", importing("#shared/limits.ts", "limits"))).not.toMatch(/restricted/);
  });
});
