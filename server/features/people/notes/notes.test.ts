import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

const pair = async () => [await on.member("Ada"), await on.member("Bob")] as [Viewer, Viewer];
const noteOn = async (viewer: Viewer | null, { id }: Viewer) =>
  (await on.profiles.get(viewer, id))?.note;

describe("a note about somebody", () => {
  test("is its writer's alone, changes, and goes when it is emptied", async () => {
    const [ada, bob] = await pair();
    expect(await on.notes.set(ada, bob.id, " From work\n\nRuns ")).toEqual({
      note: "From work\n\nRuns",
    });
    expect(await noteOn(ada, bob)).toBe("From work\n\nRuns");
    const relation = async (viewer: Viewer, other: Viewer) =>
      (await on.relations.relations(viewer, [other.id]))[0]?.note;
    expect([await relation(ada, bob), await relation(bob, ada)]).toEqual(["From work\n\nRuns", ""]);
    for (const [viewer, about] of [
      [bob, bob],
      [bob, ada],
      [await on.member("Cleo"), bob],
      [null, bob],
    ] as const)
      expect(await noteOn(viewer, about)).toBe("");
    await on.notes.set(ada, bob.id.toUpperCase(), "x".repeat(limits.note.graphemes));
    expect((await noteOn(ada, bob))?.length).toBe(2000);
    await on.notes.set(ada, bob.id, " ");
    expect(await noteOn(ada, bob)).toBe("");
  });

  test("has its limits, and is about somebody whom its writer sees", async () => {
    const [ada, bob] = await pair();
    await on.notes.set(ada, bob.id, "Kept");
    for (const [id, text, code] of [
      [bob.id, "x".repeat(2001), "input-invalid"],
      [bob.id, `a${"\u0301".repeat(9000)}`, "input-invalid"],
      [ada.id, "Me", "not-found"],
      ["00000000-0000-7000-8000-000000000000", "Nobody", "not-found"],
      ["\0", "Nobody", "not-found"],
    ] as const)
      await expect(on.notes.set(ada, id, text)).rejects.toMatchObject({ code });
    expect(await noteOn(ada, bob)).toBe("Kept");

    await on.blocks.block(bob, ada.id);
    await expect(on.notes.set(ada, bob.id, "Gone?")).rejects.toMatchObject({ code: "not-found" });
    await on.notes.set(ada, bob.id, "");
    expect(await query(db, "select 1 from account_notes where account_id = $1", [ada.id])).toEqual(
      [],
    );
  });

  test("is one of as many as there can be, and can be changed then", async () => {
    const ada = await on.member("Ada");
    const [first, one, ...rest] = await insertAccounts(db, limits.notes + 1);
    if (!first || !one) throw new Error("nobody");
    await on.notes.set(ada, first.id, "First");
    await query(
      db,
      `insert into account_notes (account_id, about_id, id, body)
       select $1, id, gen_random_uuid(), 'Many' from unnest($2::uuid[]) id`,
      [ada.id, rest.map(({ id }) => id)],
    );
    await expect(on.notes.set(ada, one.id, "One more")).rejects.toMatchObject({
      code: "notes-full",
    });
    await on.notes.set(ada, first.id, "Second");
    const said = "select body from account_notes where account_id = $1 and about_id = $2";
    expect(await query(db, said, [ada.id, first.id])).toEqual([{ body: "Second" }]);
  });
});
