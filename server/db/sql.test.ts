import fc from "fast-check";
import { Kysely, PostgresDialect, sql as kyselySql, type RawBuilder } from "kysely";
import { expect, test } from "vitest";
import { sql } from "#server/db/sql.ts";

const db = new Kysely<{ posts: { id: string; caption: string } }>({
  dialect: new PostgresDialect({ pool: {} as never }),
});
type Tag = typeof kyselySql;
const written = (statement: RawBuilder<unknown>) => {
  const { sql: text, parameters } = statement.compile(db);
  return { text, parameters };
};

/** A statement that either tag can write. */
type Plan =
  | { kind: "value"; value: unknown }
  | { kind: "ref" | "table" | "raw"; name: string }
  | { kind: "lit"; value: string | number | boolean }
  | { kind: "join" | "pair" | "wrapped" | "built"; parts: Plan[] };

const { plan } = fc.letrec<{ plan: Plan }>((tie) => ({
  plan: fc.oneof(
    { maxDepth: 5 },
    fc.record({
      kind: fc.constant("value" as const),
      value: fc.oneof(
        fc.string(),
        fc.integer(),
        fc.constant(null),
        fc.array(fc.string()),
        fc.date(),
      ),
    }),
    fc.record({
      kind: fc.constantFrom("ref" as const, "table" as const, "raw" as const),
      name: fc.constantFrom("id", "p.author_id", 'a"b', "x.y"),
    }),
    fc.record({
      kind: fc.constant("lit" as const),
      value: fc.oneof(fc.constantFrom("it's", "", "a''b"), fc.integer(), fc.boolean()),
    }),
    fc.record({
      kind: fc.constantFrom("join" as const, "pair" as const, "wrapped" as const, "built" as const),
      parts: fc.array(tie("plan") as fc.Arbitrary<Plan>, { minLength: 2, maxLength: 3 }),
    }),
  ),
}));

function write(tag: Tag, at: Plan): unknown {
  if (at.kind === "value") return at.value;
  if (at.kind === "lit") return tag.lit(at.value);
  if (at.kind === "raw") return tag.raw(`${at.name} $ {}`);
  if (at.kind === "ref" || at.kind === "table") return tag[at.kind](at.name);
  const { kind, parts } = at as Plan & { parts: Plan[] };
  const [first, ...others] = parts.map((part) => write(tag, part));
  if (kind === "join") return tag`(${tag.join([first, ...others], tag` or `)})`;
  if (kind === "pair") return tag`${first} = any(${others[0]}) -- both`;
  if (kind === "wrapped") return tag`exists (select ${first})`;
  // a builder of kysely's, with a piece of ours in it
  return tag`(${db
    .selectFrom("posts")
    .select("id")
    .where(tag<boolean>`caption = ${first}` as never)})`;
}

test("a statement is what kysely makes of the same, however often and in whatever order it is made", () => {
  const properties = fc.property(fc.array(plan, { minLength: 1, maxLength: 6 }), (plans) => {
    for (const each of [...plans, ...plans]) {
      const [ours, theirs] = [sql as unknown as Tag, kyselySql].map((tag) =>
        written(tag`select ${write(tag, each)} from posts`),
      );
      expect(ours).toEqual(theirs);
    }
  });
  fc.assert(properties, { numRuns: 300 });
});

const seen = (viewer: string | null) => (viewer ? sql`p.viewer = ${viewer}` : sql`false`);
const statement = (viewer: string | null, limit: number) =>
  written(sql`select ${seen(viewer)} limit ${limit}`);

test("a statement that has other pieces than the last time has another text", () => {
  for (let round = 0; round < 3; round += 1) {
    expect(statement("ada", round)).toEqual({
      text: "select p.viewer = $1 limit $2",
      parameters: ["ada", round],
    });
    expect(statement(null, round)).toEqual({ text: "select false limit $1", parameters: [round] });
  }
});

const pair = (first: unknown, second: unknown) => written(sql`select ${first} = any(${second})`);

test("a statement with a value and a piece in the other order has another text", () => {
  for (let round = 0; round < 2; round += 1) {
    expect(pair(1, sql`ids`).text).toBe("select $1 = any(ids)");
    expect(pair(sql`ids`, 1).text).toBe("select ids = any($1)");
  }
});

test("a piece stands in kysely's builders, with a name too", () => {
  const query = db
    .selectFrom("posts")
    .select(sql<boolean>`caption = ${"low tide"}`.as("low"))
    .where("id", "=", sql<string>`${"1"}::text`)
    .compile();
  expect([query.sql, query.parameters]).toEqual([
    'select caption = $1 as "low" from "posts" where "id" = $2::text',
    ["low tide", "1"],
  ]);
});

test("nothing is made of no parts, and of values that look like text", () => {
  expect(written(sql`select 1`)).toEqual({ text: "select 1", parameters: [] });
  expect(written(sql`select ${sql.join([])}`).text).toBe("select ");
  expect(written(sql`select ${"'; drop table posts; --"}`).parameters).toEqual([
    "'; drop table posts; --",
  ]);
});
