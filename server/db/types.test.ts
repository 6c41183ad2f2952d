import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { API, type Checker, type Type } from "typescript/unstable/sync";
import { expect, test } from "vitest";
import { freshDatabase } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** As which type the driver hands out the values of a PostgreSQL type. */
const kinds: Record<string, string> = {
  uuid: "string",
  varchar: "string",
  text: "string",
  int8: "string",
  xid8: "string",
  pg_lsn: "string",
  int2: "number",
  int4: "number",
  float4: "number",
  float8: "number",
  bool: "boolean",
  timestamptz: "Date",
  bytea: "Buffer",
  jsonb: "json",
  _text: "string[]",
  _int4: "number[]",
};

/** Every column with its kind, such as `Date | null`, and whether an insert may leave it out. */
type Columns = Record<string, string>;

const described = (kind: string, nullable: boolean, hasDefault: boolean) =>
  `${kind}${nullable ? " | null" : ""}${hasDefault ? ", with a default" : ""}`;

async function columnsOfDatabase(): Promise<Columns> {
  const { db } = await freshDatabase();
  const rows = await query<{ name: string; type: string; nullable: boolean; filled: boolean }>(
    db,
    `select table_name || '.' || column_name as name, udt_name as type,
      is_nullable = 'YES' as nullable, column_default is not null as filled
    from information_schema.columns
    where table_schema = 'public' and table_name <> 'schema_migrations'`,
  );
  return Object.fromEntries(
    rows.map(({ name, type, nullable, filled }) => [
      name,
      described(kinds[type] ?? `${type}, which this test does not know`, nullable, filled),
    ]),
  );
}

/** The same of `Tables` in types.ts, as the compiler understands it. */
function columnsOfTypes(): Columns {
  const file = join(root, "server/db/types.ts");
  const folder = mkdtempSync(join(tmpdir(), "postcard-row-types-"));
  const config = join(folder, "tsconfig.json");
  // A project of this one file and what it imports: the whole server would take seconds to load.
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, "server/tsconfig.json"),
      compilerOptions: { typeRoots: [join(root, "node_modules/@types")] },
      include: [],
      files: [file],
    }),
  );
  const api = new API({ cwd: folder });
  try {
    const { checker, program } = api.updateSnapshot({ openProjects: [config] }).getProject(config)!;
    const source = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
    const tables = checker.getExportsOfModule(source).find(({ name }) => name === "Tables")!;
    return Object.fromEntries(
      propertiesOf(checker, checker.getDeclaredTypeOfSymbol(tables)).flatMap(([table, row]) =>
        propertiesOf(checker, row).map(([name, type]) => [
          `${table}.${name}`,
          describe(checker, type),
        ]),
      ),
    );
  } finally {
    api.close();
    rmSync(folder, { recursive: true });
  }
}

function propertiesOf(checker: Checker, type: Type): [string, Type][] {
  return checker
    .getPropertiesOfType(type)
    .map((property) => [property.name, checker.getTypeOfSymbol(property)!]);
}

function describe(checker: Checker, column: Type): string {
  // Kysely's Generated<T> is what is selected and what is inserted in one.
  const generated = checker.getPropertyOfType(column, "__select__");
  const type = generated ? checker.getTypeOfSymbol(generated)! : column;
  const nullable = checker.isTypeAssignableTo(checker.getNullType(), type);
  return described(kindOf(checker, type), nullable, generated !== undefined);
}

function kindOf(checker: Checker, nullable: Type): string {
  const type = checker.getNonNullableType(nullable)!;
  if (checker.isArrayType(type)) {
    return `${kindOf(checker, checker.getTypeArguments(type as never)[0]!)}[]`;
  }
  if (checker.isTypeAssignableTo(type, checker.getStringType())) return "string";
  if (checker.isTypeAssignableTo(type, checker.getNumberType())) return "number";
  if (checker.isTypeAssignableTo(type, checker.getBooleanType())) return "boolean";
  return /^(Date|Buffer)\b/.exec(checker.typeToString(type))?.[0] ?? "json";
}

test("row types say what the migrated database has", async () => {
  const [declared, migrated] = [columnsOfTypes(), await columnsOfDatabase()];
  expect(Object.keys(declared).length).toBeGreaterThan(200);
  for (const [name, kind] of Object.entries(migrated)) {
    // JSON holds what the code puts there, whatever its type.
    if (kind.startsWith("json") && declared[name]) declared[name] = kind;
  }
  expect(declared).toEqual(migrated);
});
