import fc from "fast-check";
import { expect, test } from "vitest";
import { compile, sql, type Statement } from "#server/platform/db/sql.ts";

/** A part of a statement. */
type Plan =
  | { kind: "value"; value: unknown }
  | { kind: "ref" | "table" | "raw"; name: string }
  | { kind: "lit"; value: string | number | boolean }
  | { kind: "join" | "pair" | "wrapped"; parts: Plan[] };

const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.constant(null),
  fc.array(fc.string()),
  fc.date(),
);
const { plan } = fc.letrec<{ plan: Plan }>((tie) => ({
  plan: fc.oneof(
    { maxDepth: 5 },
    fc.record({ kind: fc.constant("value" as const), value }),
    fc.record({
      kind: fc.constantFrom("ref" as const, "table" as const, "raw" as const),
      name: fc.constantFrom("id", "p.author_id", 'a"b', "x.y"),
    }),
    fc.record({
      kind: fc.constant("lit" as const),
      value: fc.oneof(fc.constantFrom("it's", "", "a''b"), fc.integer(), fc.boolean()),
    }),
    fc.record({
      kind: fc.constantFrom("join" as const, "pair" as const, "wrapped" as const),
      parts: fc.array(tie("plan") as fc.Arbitrary<Plan>, { minLength: 2, maxLength: 3 }),
    }),
  ),
}));

/** Made with the tag. */
function tagged(at: Plan): unknown {
  if (at.kind === "value") return at.value;
  if (at.kind === "lit") return sql.lit(at.value);
  if (at.kind === "raw") return sql.raw(`${at.name} $ {}`);
  if (at.kind === "ref" || at.kind === "table") return sql[at.kind](at.name);
  const { kind, parts } = at as Plan & { parts: Plan[] };
  const [first, ...others] = parts.map(tagged);
  if (kind === "join") return sql`(${sql.join([first, ...others], sql` or `)})`;
  if (kind === "pair") return sql`${first} = any(${others[0]}) -- both`;
  return sql`exists (select ${first})`;
}

const names: Record<string, string> = {
  id: '"id"',
  "p.author_id": '"p"."author_id"',
  'a"b': '"a""b"',
  "x.y": '"x"."y"',
};

/** The same, built from its parts each time, with its values pushed to `values`. */
function written(at: Plan, values: unknown[]): string {
  if (at.kind === "value") return `$${values.push(at.value)}`;
  if (at.kind === "lit") {
    return typeof at.value === "string" ? `'${at.value.split("'").join("''")}'` : `${at.value}`;
  }
  if (at.kind === "raw") return `${at.name} $ {}`;
  if (at.kind === "ref" || at.kind === "table") return names[at.name] ?? "";
  const { kind, parts } = at as Plan & { parts: Plan[] };
  if (kind === "join") return `(${parts.map((part) => written(part, values)).join(" or ")})`;
  const first = written(parts[0]!, values);
  if (kind === "wrapped") return `exists (select ${first})`;
  return `${first} = any(${written(parts[1]!, values)}) -- both`;
}

test("a statement consists of its parts, however often and in whatever order it is made", () => {
  const properties = fc.property(fc.array(plan, { minLength: 1, maxLength: 6 }), (plans) => {
    for (const each of [...plans, ...plans]) {
      const values: unknown[] = [];
      const text = `select ${written(each, values)} from posts`;
      expect(compile(sql`select ${tagged(each)} from posts`)).toEqual({ text, values });
    }
  });
  fc.assert(properties, { numRuns: 300 });
});

const seen = (viewer: string | null) => (viewer ? sql`p.viewer = ${viewer}` : sql`false`);
const statement = (viewer: string | null, limit: number): Statement =>
  compile(sql`select ${seen(viewer)} limit ${limit}`);

test("a statement that has other pieces than the last time has another text", () => {
  for (let round = 0; round < 3; round += 1) {
    expect(statement("ada", round)).toEqual({
      text: "select p.viewer = $1 limit $2",
      values: ["ada", round],
    });
    expect(statement(null, round)).toEqual({ text: "select false limit $1", values: [round] });
  }
});

const between = (from: unknown, to: unknown) => compile(sql`at between ${from} and ${to}`).text;

test("so does one whose value and piece are swapped", () => {
  const now = sql`now()`;
  expect(between(now, "later")).toBe("at between now() and $1");
  expect(between("earlier", now)).toBe("at between $1 and now()");
});

test("joining no parts adds nothing, and values that look like SQL stay values", () => {
  expect(compile(sql`select 1`)).toEqual({ text: "select 1", values: [] });
  expect(compile(sql`select ${sql.join([])}`).text).toBe("select ");
  expect(compile(sql`select ${"'; drop table posts; --"}`).values).toEqual([
    "'; drop table posts; --",
  ]);
});

test("a row and a change name their columns, and leave out what is not defined", () => {
  const columns = { id: "1", caption: undefined, edited_at: sql`now()`, number: null };
  expect(compile(sql`insert into posts ${sql.row(columns)}`)).toEqual({
    text: 'insert into posts ("id", "edited_at", "number") values ($1, now(), $2)',
    values: ["1", null],
  });
  expect(compile(sql`update posts set ${sql.set(columns)}`)).toEqual({
    text: 'update posts set "id" = $1, "edited_at" = now(), "number" = $2',
    values: ["1", null],
  });
});
