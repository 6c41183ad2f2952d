import {
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import type { Manifest } from "#server/platform/backup/manifest.ts";
import {
  restoreTarget,
  flipBit,
  newFolder,
  rewriteManifest,
  sha256,
  sourceInstallation,
} from "#server/test/backups.ts";
import { createDatabase } from "#server/platform/db/database.ts";
import { query } from "#server/test/query.ts";
import { filesBelow } from "#server/test/traces.ts";

/** A complete backup; each test damages a copy of it. */
let whole: string;
let name: string;
beforeAll(async () => {
  const here = await sourceInstallation();
  await here.photoPost(await here.member(), "A few words");
  whole = newFolder();
  ({ name } = await here.back(whole));
}, 120_000);

type Place = { directory: string; folder: string; table: string; original: string };

async function copy(): Promise<Place> {
  const directory = join(newFolder(), "copy");
  cpSync(whole, directory, { recursive: true });
  const folder = join(directory, name);
  const [original = ""] = await filesBelow(join(directory, "pictures", "originals"));
  return { directory, folder, table: join(folder, "database", "posts.copy.gz"), original };
}

/** Rewrites the list of images, with the right hash. */
function rewriteList(folder: string, change: (line: string) => string): void {
  const path = join(folder, "pictures.jsonl.gz");
  const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split("\n").map(change);
  writeFileSync(path, gzipSync(`${lines.join("\n")}\n`));
  const bytes = readFileSync(path);
  rewriteManifest(folder, (manifest) => {
    manifest.pictures.list = { bytes: bytes.length, sha256: sha256(bytes) };
  });
}

const damages: [string, (place: Place) => void, RegExp][] = [
  ["a bit of a table", ({ table }) => flipBit(table), /database\/posts\.copy\.gz is not what was/],
  ["a bit of an image", ({ original }) => flipBit(original), /pictures\/originals\/.* is not what/],
  [
    "a bit of the manifest",
    ({ folder }) => flipBit(join(folder, "manifest.json")),
    /manifest\.json is/,
  ],
  ["a table that is missing", ({ table }) => rmSync(table), /posts\.copy\.gz is missing/],
  ["an image that is missing", ({ original }) => rmSync(original), /originals\/.* is missing/],
  [
    "half a copy",
    ({ folder }) => rmSync(join(folder, "manifest.json")),
    /is no whole backup: its manifest is missing/,
  ],
  [
    "a copy without images",
    ({ directory }) => rmSync(join(directory, "pictures"), { recursive: true }),
    /pictures\/.* is missing/,
  ],
  [
    "a list that is cut",
    ({ folder }) => truncateSync(join(folder, "pictures.jsonl.gz"), 40),
    /pictures\.jsonl\.gz has 40 bytes instead of \d+/,
  ],
  [
    "secrets that are cut",
    ({ folder }) => truncateSync(join(folder, "secrets.json"), 9),
    /secrets\.json has 9/,
  ],
  [
    "a newer backup format",
    ({ folder }) => rewriteManifest(folder, (manifest) => ({ ...manifest, format: 2 })),
    /was made by a newer Postcard/,
  ],
  [
    "a newer database",
    ({ folder }) =>
      rewriteManifest(folder, ({ migrations }) => {
        migrations.push({ name: "9999_later", sha256: "0".repeat(64) });
      }),
    /was made by a newer Postcard/,
  ],
  [
    "a migration with another text",
    ({ folder }) =>
      rewriteManifest(folder, ({ migrations }) => {
        if (migrations[0]) migrations[0].sha256 = "0".repeat(64);
      }),
    /The migration 0001_house is not the text that the database was made with/,
  ],
  [
    "a manifest of another program",
    ({ folder }) => rewriteManifest(folder, () => ({ name: "postcard", version: "0.1.0" })),
    /its manifest\.json is not what was written/,
  ],
  [
    "a table whose name leads elsewhere",
    ({ folder }) =>
      rewriteManifest(folder, ({ tables }) => {
        if (tables[0]) tables[0].table = "../../secrets";
      }),
    /its manifest\.json is not what was written/,
  ],
  [
    "a column that is a statement",
    ({ folder }) =>
      rewriteManifest(folder, ({ tables }) => {
        tables[0]?.columns.push("id\") from program 'id'; --");
      }),
    /its manifest\.json is not what was written/,
  ],
  [
    "an image whose key leads elsewhere",
    ({ folder }) =>
      rewriteList(folder, (line) =>
        line.replace(/"key":"[0-9a-f]{32}"/, '"key":"../../../etc/passwd"'),
      ),
    /has a line that names no picture/,
  ],
  [
    "an image whose file leads elsewhere",
    ({ folder }) => rewriteList(folder, (line) => line.replace("original", "../original")),
    /has a line that names no picture/,
  ],
  [
    "a list that names less than was counted",
    ({ folder }) =>
      rewriteList(folder, (line) => {
        const image = JSON.parse(line) as { files: unknown[] };
        return JSON.stringify({ ...image, files: image.files.slice(1) });
      }),
    /pictures\.jsonl\.gz does not list what the manifest counts/,
  ],
  [
    "a link instead of a table",
    ({ directory, table }) => {
      renameSync(table, join(directory, "moved"));
      symlinkSync(join(directory, "moved"), table);
    },
    /posts\.copy\.gz is not an ordinary file/,
  ],
  [
    "a link instead of the folder of tables",
    ({ directory, folder }) => {
      renameSync(join(folder, "database"), join(directory, "moved"));
      symlinkSync(join(directory, "moved"), join(folder, "database"));
    },
    /database\/.* is not an ordinary file/,
  ],
];

test.each(damages)("%s is refused before anything is written", async (_what, damage, sentence) => {
  const place = await copy();
  damage(place);
  const there = await restoreTarget();
  await expect(there.restore(place.directory)).rejects.toThrow(sentence);
  expect(existsSync(there.dataDir)).toBe(false);
  const db = createDatabase({
    connection: there.connection,
    log: { warn: () => {}, error: () => {} },
  });
  const made = `select nspname from pg_namespace where nspname = 'pgboss'
    union all select tablename from pg_tables where schemaname = 'public'`;
  expect(await query(db, made)).toEqual([]);
  await db.close();
});

test.each([
  [
    "lacks a table",
    ({ tables }: Manifest) =>
      tables.splice(
        tables.findIndex(({ table }) => table === "likes"),
        1,
      ),
    "The backup lacks the table likes, so it is not whole.",
  ],
  [
    "has an unknown column",
    ({ tables }: Manifest) => void tables[0]?.columns.push("mood"),
    /The backup has a column \w+\.mood, which this Postcard lacks/,
  ],
])("a manifest that %s leaves nothing in the database", async (_what, change, sentence) => {
  const { directory, folder } = await copy();
  rewriteManifest(folder, (manifest) => void change(manifest));
  const there = await restoreTarget();
  await expect(there.restore(directory)).rejects.toThrow(sentence);
  const db = createDatabase({
    connection: there.connection,
    log: { warn: () => {}, error: () => {} },
  });
  expect(await query(db, "select tablename from pg_tables where schemaname = 'public'")).toEqual(
    [],
  );
  await db.close();
});

test("what was not damaged is restored", async () => {
  const { directory } = await copy();
  await (await restoreTarget()).restore(directory);
});
