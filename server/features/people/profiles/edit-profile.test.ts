import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import type { FieldErrors } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

type EditInput = Parameters<TestFeatures["profiles"]["edit"]>[1];

const names = { firstName: "Ada", secondName: "Lovelace" };
const tooLong = (label: string, most: number, more: string) =>
  `${label} can have ${most} characters; this is ${more} too many.`;
const profileOf = async ({ id }: Viewer) => on.profiles.get(null, id);
const isStored = async (key = "") => {
  // the small photo of factories.ts has one variant, of its own width
  const file = await on.store.open(key, 96);
  await file?.close();
  return file !== null;
};

async function imagesOf({ id }: Viewer): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    "select id from images where account_id = $1 order by id",
    [id],
  );
  return rows.map((row) => row.id);
}

describe("editing a profile", () => {
  test("stores names, bio and website, and the search finds the new name", async () => {
    const ada = await on.member("Old Name");
    expect(
      await on.profiles.edit(ada, {
        firstName: "  José ",
        secondName: "Ángel   Ruiz",
        bio: " I count\r\nthings ",
        website: "HTTPS://Example.org/a b".replace(" ", "%20"),
      }),
    ).toEqual({ matchedCount: 1, modifiedCount: 1 });
    expect(await profileOf(ada)).toMatchObject({
      account: { name: "José Ángel Ruiz", username: ada.username },
      bio: "I count\nthings",
      website: "https://example.org/a%20b",
    });
    const found = async (text: string) => {
      const page = await on.search.accounts(null, text, null, { ip: "192.0.2.1" });
      return page.items.map(({ id }) => id);
    };
    expect(await found("joseangel")).toEqual([ada.id]);
    expect(await found("oldname")).toEqual([]);
    expect(await found(ada.username)).toEqual([ada.id]);
  });

  test.each([
    ["ida.example", "https://ida.example/"],
    [" WWW.Ida.example/Letters?page=2#top ", "https://www.ida.example/Letters?page=2#top"],
    ["ida.example:8080", "https://ida.example:8080/"],
    ["bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"],
    ["http://ida.example", "http://ida.example/"],
  ])("takes %s for a website as people type it", async (typed, website) => {
    const ada = await on.member("Ada Typing");
    await on.profiles.edit(ada, { ...names, website: typed });
    expect(await profileOf(ada)).toMatchObject({ website });
  });

  test("leaves what is not given as it is, and empties what is given empty", async () => {
    const ada = await on.member("Ada Partial");
    await on.profiles.edit(ada, { ...names, bio: "Words", website: "https://example.org/" });
    await on.profiles.edit(ada, { ...names, firstName: "Augusta" });
    expect(await profileOf(ada)).toMatchObject({ bio: "Words", website: "https://example.org/" });
    await on.profiles.edit(ada, { ...names, bio: " \n", website: " " });
    expect(await profileOf(ada)).toMatchObject({ bio: "", website: "" });
  });

  test("gives a member without names a name", async () => {
    const nameless = await on.member("");
    expect((await profileOf(nameless))?.account.name).toBe(nameless.username);
    await on.profiles.edit(nameless, names);
    expect((await profileOf(nameless))?.account.name).toBe("Ada Lovelace");
  });

  const refused: { wrong: Partial<EditInput>; fields: FieldErrors }[] = [
    { wrong: { firstName: "" }, fields: { firstName: "required*" } },
    { wrong: { secondName: " \t " }, fields: { secondName: "required*" } },
    {
      wrong: { firstName: "\u200b\u2060", secondName: "\u202e" },
      fields: { firstName: "required*", secondName: "required*" },
    },
    { wrong: { firstName: "\u0000" }, fields: { firstName: "required*" } },
    {
      wrong: { firstName: "a".repeat(51) },
      fields: { firstName: tooLong("First name", 50, "1") },
    },
    {
      wrong: { secondName: "a".repeat(10_000) },
      fields: { secondName: tooLong("Second name", 50, "9,950") },
    },
    {
      wrong: { firstName: `a${"\u0301".repeat(2000)}` },
      fields: { firstName: "First name has too many combined characters. Please shorten it." },
    },
    { wrong: { bio: "b".repeat(501) }, fields: { bio: tooLong("Bio", 500, "1") } },
    { wrong: { bio: "👨‍👩‍👧‍👦".repeat(503) }, fields: { bio: tooLong("Bio", 500, "3") } },
    ...[
      "example",
      "example.org@evil.example",
      "example.org:80@evil.example",
      "javascript:alert(1)//example.org",
      "ada@example.org",
      "1.5",
      "ftp://example.org",
      "javascript:alert(1)",
      "https://",
      "https://exa mple.org",
      "https:evil.example",
      "https:/evil.example",
      "https:///evil.example",
      "https:\\\\evil.example",
      "https://bank.example\\.evil.example",
      "https://@evil.example",
      "http://localhost",
      "https://bank.example@evil.example",
      "https://user:word@example.org/",
      `https://example.org/${"a".repeat(2000)}`,
      "data:text/html,<script>alert(1)</script>",
      "//example.org",
      "https://example.org/\nhttps://other.example",
    ].map((website) => ({ wrong: { website }, fields: { website: "Invalid URL" } })),
  ];
  test("refuses what is wrong, field by field, and stores nothing", async () => {
    const ada = await on.member("Before That");
    for (const { wrong, fields } of refused) {
      await expect(
        on.profiles.edit(ada, { ...names, bio: "new words", ...wrong }),
        JSON.stringify(wrong).slice(0, 80),
      ).rejects.toMatchObject({ code: "input-invalid", fields });
    }
    expect(await profileOf(ada)).toMatchObject({
      account: { name: "Before That" },
      bio: "",
      website: "",
    });
  });

  test("stores odd names letter by letter, and bios up to the last character", async () => {
    const ada = await on.member("Ada Odd");
    for (const [firstName = "", secondName = ""] of [
      ["<script>alert(1)</script>", "</p><img src=x onerror=alert(1)>"],
      ["\u202eright to left", "שלום"],
      ["a\u200bb", "x\u2060y"],
      ["👨‍👩‍👧‍👦", "🏳️‍🌈".repeat(50)],
      ['O\'Brien "the"', "back\\slash; drop table accounts; --"],
      ["นิรันดร์", "김철수"],
    ]) {
      const bio = `${firstName}\n${"👨‍👩‍👧‍👦".repeat(450)}`;
      await on.profiles.edit(ada, { firstName, secondName, bio });
      expect(await profileOf(ada)).toMatchObject({
        account: { name: `${firstName} ${secondName}` },
        bio,
      });
    }
  });

  test("takes text with characters that cannot be stored, without them", async () => {
    const ada = await on.member("Ada Broken");
    await on.profiles.edit(ada, {
      firstName: "A\u0000da",
      secondName: "L\ud800ove",
      bio: "\u0007b",
    });
    expect(await profileOf(ada)).toMatchObject({ account: { name: "Ada L\ufffdove" }, bio: "b" });
  });

  test("of an account that is gone matches nothing", async () => {
    const ada = await on.member("Ada Gone");
    await on.suspend(ada);
    expect(await on.profiles.edit(ada, names)).toEqual({ matchedCount: 0, modifiedCount: 0 });
  });
});

describe("a new avatar", () => {
  test("replaces the one before, whose row and files are deleted", async () => {
    const ada = await on.member("Ada Picture");
    const before = ada.avatar?.key;
    expect(await isStored(before)).toBe(true);
    const imageId = await on.upload(ada);
    await on.profiles.edit(ada, { ...names, imageId });
    const after = (await profileOf(ada))?.account.avatar?.key;
    expect(after).not.toBe(before);
    expect(await isStored(after)).toBe(true);
    expect(await isStored(before)).toBe(false);
    expect(await imagesOf(ada)).toEqual([imageId]);
  });

  test("saved twice is stored once", async () => {
    const ada = await on.member("Ada Double");
    const imageId = await on.upload(ada);
    await on.profiles.edit(ada, { ...names, imageId });
    expect(await on.profiles.edit(ada, { ...names, imageId })).toEqual({
      matchedCount: 1,
      modifiedCount: 0,
    });
    expect(await imagesOf(ada)).toEqual([imageId]);
    expect(await isStored((await profileOf(ada))?.account.avatar?.key)).toBe(true);
  });

  test("that is somebody else's, used in a post or unknown is refused, and nothing is stored", async () => {
    const [ada, bob] = [await on.member("Ada Strict"), await on.member("Bob Strict")];
    const used = await on.upload(ada);
    await on.publish(ada, { pictures: [{ imageId: used, alt: "" }] });
    const unknown = "00000000-0000-7000-8000-000000000000";
    for (const imageId of [await on.upload(bob), used, unknown, "no id", "\u0000"]) {
      await expect(on.profiles.edit(ada, { ...names, imageId })).rejects.toMatchObject({
        code: "picture-unknown",
      });
    }
    expect(await profileOf(ada)).toMatchObject({
      account: { name: "Ada Strict", avatar: { key: ada.avatar?.key } },
    });
    expect(await isStored(ada.avatar?.key)).toBe(true);
  });

  test("of two saved at once only one row and its files stay", async () => {
    const ada = await on.member("Ada Race");
    const uploads = [await on.upload(ada), await on.upload(ada), await on.upload(ada)];
    const keys = await query<{ key: string }>(db, "select key from images where account_id = $1", [
      ada.id,
    ]);
    await Promise.all(
      uploads.map((imageId) => on.profiles.edit(ada, { ...names, imageId, bio: imageId })),
    );
    const profile = await profileOf(ada);
    const left = await imagesOf(ada);
    expect(left).toHaveLength(1);
    expect(profile?.bio).toBe(left[0]);
    const stored = [];
    for (const { key } of keys) if (await isStored(key)) stored.push(key);
    expect(stored).toEqual([profile?.account.avatar?.key]);
  });

  test("and a new username at the same time both hold, also in the search", async () => {
    const ada = await on.member("Ada Both");
    await Promise.all([
      on.profiles.edit(ada, { firstName: "Newfirst", secondName: "Newsecond" }),
      on.settings.changeUsername(ada, "both_at_once"),
    ]);
    const [row] = await query<{ search_name: string }>(
      db,
      "select search_name from accounts where id = $1",
      [ada.id],
    );
    expect(row?.search_name).toBe("newfirstnewsecond both_at_once");
  });
});
