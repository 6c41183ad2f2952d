import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, test } from "vitest";
import { createDatabase } from "#server/platform/db/database.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { createSearch } from "#server/features/people/search/search.ts";
import { runAdminStatement } from "#server/test/admin-statement.ts";
import { afterFile } from "#server/test/after-file.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { query } from "#server/test/query.ts";

const migrations = fileURLToPath(new URL("../../../migrations", import.meta.url));

/** The migrations that came before the pieces of names. */
function earlierMigrations(): string {
  const folder = mkdtempSync(join(tmpdir(), "postcard-migrations-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of readdirSync(migrations).filter((name) => name < "0017")) {
    cpSync(join(migrations, file), join(folder, file));
  }
  return folder;
}

/** Locales that every PostgreSQL has: one without letters beyond ASCII, and a Turkish one. */
test.each([
  ["none", "LOCALE 'C'"],
  ["Turkish", "LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'tr'"],
])(
  "names of before are found by every part of them, in a database of locale: %s",
  async (...of) => {
    const [name, locale] = of;
    const postgres = inject("postgres");
    const database = `postcard_locale_${name.toLowerCase()}_${process.pid}`;
    await runAdminStatement(
      postgres,
      `CREATE DATABASE ${database} TEMPLATE template0 ENCODING 'UTF8' ${locale}`,
    );
    const connection = { ...postgres, database };
    await migrate({ connection, directory: earlierMigrations() });
    const db = createDatabase({ connection, log: { warn: () => {}, error: console.error } });
    afterFile(async () => {
      await db.close();
      await runAdminStatement(postgres, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    });
    const names = ["陽子 小林", "지은 이", "IRMAK Işık", "Ευα Σουρής", "Ida Groß", "ﷺ Ъ", "É Ōe"];
    const people = await insertAccounts(db, names.length, (index) => names[index] ?? "");
    // as they were folded before
    const before = [
      "陽子小林",
      "지은이",
      "irmakisık",
      "ευασουρης",
      "idagroß",
      "صلىاللهعليهوسلمъ",
      "eoe",
    ];
    await query(
      db,
      `update accounts set search_name = old.name || ' ' || username
    from unnest($1::uuid[], $2::text[]) old (id, name) where old.id = accounts.id`,
      [people.map(({ id }) => id), before],
    );
    await migrate({ connection });

    const { accounts } = createSearch({ db, secret: "", limited: false });
    const found = async (text: string) =>
      (await accounts(null, text, null)).items.map((item) => item.name);
    for (const [text, whose] of [
      ["小林", "陽子 小林"],
      ["林", "陽子 小林"],
      ["이", "지은 이"],
      ["ışı", "IRMAK Işık"],
      ["KI", "IRMAK Işık"],
      ["MAKIŞIK", "IRMAK Işık"],
      ["σ", "Ευα Σουρής"],
      ["ΗΣ", "Ευα Σουρής"],
      ["ουρής", "Ευα Σουρής"],
      ["GROSS", "Ida Groß"],
      ["g", "Ida Groß"],
      ["ъ", "ﷺ Ъ"],
      ["اللهع", "ﷺ Ъ"],
      ["o", "É Ōe"],
    ] as const) {
      expect(await found(text), text).toEqual([whose]);
    }
  },
);
