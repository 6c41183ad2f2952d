import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A file to be looked at: its text, in a folder of the project; `other` is other.ts beside it. */
type Tried = { folder: string; text: string; name?: string; other?: string };

/** What the linter says of each of these files, asked once: to begin costs it more than to look. */
function lint(files: Tried[], options: string[] = []): string[] {
  const tried = files.map(({ folder, text, name = "tried.ts", other }) => {
    const place = mkdtempSync(join(root, folder, "lint-rules-"));
    writeFileSync(join(place, name), text);
    if (other) writeFileSync(join(place, "other.ts"), other);
    return { place, file: join(place, name) };
  });
  try {
    const oxlint = join(root, "node_modules/oxlint/bin/oxlint");
    const paths = tried.map(({ file }) => file);
    const { stdout } = spawnSync(
      process.execPath,
      [oxlint, ...options, "--format", "unix", ...paths],
      { cwd: root, encoding: "utf8" },
    );
    const lines = stdout.split("\n");
    return paths.map((path) => {
      const own = `${relative(root, path)}:`;
      return lines.filter((line) => line.startsWith(own)).join("\n");
    });
  } finally {
    for (const { place } of tried) rmSync(place, { recursive: true, force: true });
  }
}

const importing = (source: string, name = "thing") =>
  `import { ${name} } from "${source}";\nexport const used = ${name};\n`;

/** An import from this source in a file of this folder. */
const imported = (folder: string, source: string, name?: string): Tried => ({
  folder,
  text: importing(source, name),
});
const ofTypes = (tried: Tried): Tried => ({
  ...tried,
  text: tried.text.replace("import", "import type"),
});

describe("the linter", () => {
  const imports: [what: string, folder: string, source: string][] = [
    [
      "a screen that reaches into the server",
      "app/screens",
      "#server/features/posts/likes/likes.ts",
    ],
    ["a screen that opens a pool", "app/screens", "pg"],
    ["a control that knows the product", "app/ui", "#app/features/posts/post-card.tsx"],
    ["a server that imports screens", "server/features", "#app/lib/text/links.ts"],
    ["SQL's neighbour that imports screens", "server/platform/db", "#app/lib/text/links.ts"],
    ["shared code that needs the server", "shared", "#server/features/posts/likes/likes.ts"],
    ["shared code that needs the machine", "shared", "node:fs"],
    ["shared code that needs a library", "shared", "pg"],
  ];
  const [allowed, ...refused] = lint([
    imported("app/screens", "#shared/limits.ts", "limits"),
    ...imports.map(([, folder, source]) => imported(folder, source)),
  ]);

  test.each(imports.map(([what], at) => [what, refused[at]]))("refuses %s", (_what, said) => {
    expect(said).toContain("no-restricted-imports");
  });

  test("takes what is allowed", () => {
    expect(allowed).not.toMatch(/restricted/);
  });

  test("refuses SQL in a rule, and takes it beside it", () => {
    const sql = imported("server/features", "#server/platform/db/sql.ts", "sql");
    const [inRule, beside] = lint([sql, { ...sql, name: "tried.queries.ts" }]);
    expect(inRule).toContain("no-restricted-imports");
    expect(beside).not.toContain("no-restricted");
  });

  test("refuses a second reader of the environment", () => {
    const text = "export const port = process.env.PORT;\n";
    const [said] = lint([{ folder: "server/features", text }]);
    expect(said).toContain("no-restricted-properties");
  });

  const past: [what: string, folder: string, source: string][] = [
    ["past a district's index.ts", "server/api", "#server/features/posts/likes/likes.ts"],
    [
      "past it inside the features",
      "server/features/talk",
      "#server/features/people/blocks/blocks.ts",
    ],
    ["a later district", "server/features/people", "#server/features/talk/index.ts"],
    ["its own index.ts", "server/features/posts", "#server/features/posts/index.ts"],
  ];
  const pastSaid = lint(past.map(([, folder, source]) => imported(folder, source)));
  const pastOfTypes = lint(past.map(([, folder, source]) => ofTypes(imported(folder, source))));

  test.each(past.map(([what], at) => [what, pastSaid[at], pastOfTypes[at]]))(
    "refuses an import %s",
    (_what, said, ofTypesAlone) => {
      expect(said).toContain("districts(order)");
      expect(ofTypesAlone).toContain("districts");
    },
  );

  test("takes an earlier district's index.ts, and any file of its own district", () => {
    const said = lint([
      imported("server/features/talk", "#server/features/people/index.ts"),
      imported("server/features/posts", "#server/features/posts/posts.ts"),
    ]);
    expect(said.join("")).not.toContain("districts");
  });

  const knowing: [what: string, tried: Tried][] = [
    ["a feature", imported("server/platform/db", "#server/features/people/index.ts")],
    ["how requests are answered", imported("server/platform/status", "#server/http/retire.ts")],
    ["what composes the product", imported("server/platform/processes", "#server/serve.ts")],
    ["one by its relative path", imported("server/platform/admin", "../../../features/index.ts")],
    ["a feature through an adapter", imported("server/adapters", "#server/features/index.ts")],
  ];
  const [fromPlatform, ofItsTest, ...knowingSaid] = lint([
    {
      folder: "server/platform/backup",
      text: ["#server/platform/db/sql.ts", "#server/config.ts", "#shared/limits.ts", "node:fs"]
        .map((source) => `export * from "${source}";\n`)
        .join(""),
    },
    {
      ...imported("server/platform/db", "#server/features/people/index.ts"),
      name: "tried.test.ts",
    },
    ...knowing.flatMap(([, tried]) => [tried, ofTypes(tried)]),
  ]);

  test.each(knowing.map(([what], at) => [what, knowingSaid.slice(at * 2, at * 2 + 2)] as const))(
    "refuses a platform that knows %s, be it by its types",
    (_what, [said, ofTypesAlone]) => {
      expect(said).toContain("platform(knows-no-feature)");
      expect(ofTypesAlone).toContain("knows-no-feature");
    },
  );

  test("takes what the platform stands on, and its tests' own", () => {
    expect(`${fromPlatform}${ofItsTest}`).not.toContain("knows-no-feature");
  });

  test("refuses a circle of files, be it one of types alone", () => {
    const text =
      'import type { Other } from "./other.ts";\nexport type Tried = { other: Other | null };\n';
    const circle =
      'import type { Tried } from "./tried.ts";\nexport type Other = { tried: Tried };\n';
    const [round, straight] = lint([
      { folder: "shared", text, other: circle },
      { folder: "shared", text, other: "export type Other = string;\n" },
    ]);
    expect(round).toContain("no-cycle");
    expect(straight).not.toContain("no-cycle");
  });

  test("refuses a feature's import of one that needs it, itself or through others", () => {
    for (const source of ["#app/features/posts/post-card.tsx", "#app/features/feed/feed.tsx"]) {
      const needed = imported("app/features/likes", source);
      const [said, ofTypesAlone, elsewhere] = lint([
        needed,
        ofTypes(needed),
        imported("app/features/profiles", source),
      ]);
      expect(said).toContain("features(no-circles)");
      expect(ofTypesAlone).toContain("circles");
      expect(elsewhere).not.toContain("circles");
    }
  });

  const squares = [
    ["text between brackets", "/<[^>]*>/g"],
    ["a number", "/^\\d*\\.?\\d+$/"],
    ["a part of a path", "/[^/]*@[^/]*/"],
    ["white space at the end", "/\\s+$/"],
  ] as const;
  const textFolders = ["app/lib", "server/mastodon", "shared", "public"];
  const [ofLinear, ...ofSquares] = lint([
    { folder: "shared", text: "export const pattern = /<[^<>]*>/g;\n" },
    ...squares.flatMap(([, pattern]) => {
      const text = `export const pattern = ${pattern};\n`;
      return textFolders.map((folder) => ({ folder, text }));
    }),
  ]);

  test.each(
    squares.map(
      ([what], at) =>
        [what, ofSquares.slice(at * textFolders.length, (at + 1) * textFolders.length)] as const,
    ),
  )("refuses an expression that takes the square of a text: %s", (_what, said) => {
    expect(said).toHaveLength(textFolders.length);
    for (const each of said) expect(each).toContain("regexp(no-super-linear");
  });

  test("takes an expression whose time grows with its text alone", () => {
    expect(ofLinear).not.toContain("regexp(");
  });

  const options = ["--type-aware", "--config", ".oxlint-types.json"];

  test("refuses a promise that nobody waits for", () => {
    const text = "const ask = async () => 1;\nexport const go = () => {\n  ask();\n};\n";
    const ignored = text.replace("  ask();", "  void ask();");
    const [said, ofIgnored] = lint(
      [
        { folder: "shared", text },
        { folder: "shared", text: ignored },
      ],
      options,
    );
    expect(said).toContain("no-floating-promises");
    expect(ofIgnored).not.toContain("floating");
  });

  test("refuses a second word for a test, and a constant in capitals", () => {
    const text = 'import { it } from "vitest";\nit("works", () => {});\n';
    const file = { folder: "shared", name: "tried.test.ts" };
    const [second, usual, capitals, constant] = lint(
      [
        { ...file, text },
        { ...file, text: text.replaceAll(/\bit\b/g, "test") },
        { folder: "shared", text: "export const MOST_WORDS = 5;\n" },
        { folder: "shared", text: "export const mostWords = 5;\n" },
      ],
      options,
    );
    expect(second).toContain("consistent-test-it");
    expect(usual).not.toContain("consistent-test-it");
    expect(capitals).toContain("id-match");
    expect(constant).not.toContain("id-match");
  });
});
