import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  const people = [
    "José Ángel Ruiz",
    "Ann Lee",
    "Joanna Leery",
    "Annabel",
    "Mary Ann",
    "Li Na",
    "100% Real",
    "under_score",
    "Иван Петров",
    "김철수",
    "Müller",
    "O'Brien",
    "نور الهدى",
    "Jo",
  ];
  for (const name of people) await on.member(name);
  await plainUsernames();
});

/**
 * Generated usernames, or those transliterated from other scripts, could have any letters: here
 * they are all the same but for a number.
 */
async function plainUsernames() {
  await query(
    db,
    `with taken as (
      select count(*) as taken from accounts where username ~ '^user_[0-9]{4}$'
    ), named as (
      select id, username, 'user_' || to_char(taken + row_number() over (order by id), 'FM0000') as fixed
      from accounts, taken
      where (username like 'user\\_%' or full_name ~ '[^ -~À-ž]') and username !~ '^user_[0-9]{4}$'
    )
    update accounts a
    set username = fixed, search_name = replace(search_name, named.username, fixed)
    from named where named.id = a.id`,
  );
}

const here = { ip: "192.0.2.7" };
const found = async (text: string) =>
  (await everyPage((cursor) => on.search.accounts(null, text, cursor, here))).map(
    ({ name }) => name,
  );

describe("searching people", () => {
  test.each([
    ["ruiz", "José Ángel Ruiz"],
    ["JOSE angel", "José Ángel Ruiz"],
    ["séÁng", "José Ángel Ruiz"],
    ["elru", "José Ángel Ruiz"],
    ["MULLER", "Müller"],
    ["üller", "Müller"],
    ["ван", "Иван Петров"],
    ["ИВАНП", "Иван Петров"],
    ["철수", "김철수"],
    ["김철수", "김철수"],
    ["김", "김철수"],
    ["هدى", "نور الهدى"],
    ["O'B", "O'Brien"],
    ["'bri", "O'Brien"],
    ["l i  n\ta", "Li Na"],
    ["li", "Li Na"],
    ["@jose_angel", "José Ángel Ruiz"],
    ["100%", "100% Real"],
    ["0% r", "100% Real"],
  ])("%s finds %s", async (text, name) => {
    expect(await found(text)).toEqual(name ? [name] : []);
  });

  test("puts names that begin with the words first, then shorter ones", async () => {
    expect(await found("ann")).toEqual(["Ann Lee", "Annabel", "Mary Ann", "Joanna Leery"]);
    expect(await found("le")).toEqual(["Ann Lee", "Joanna Leery", "Müller"]);
    expect(await found("lee")).toEqual(["Ann Lee", "Joanna Leery"]);
  });

  test("finds usernames, also by one letter at their beginning", async () => {
    const zoe = await on.member("Qara Vex");
    await query(
      db,
      "update accounts set username = 'zz_top', search_name = 'qaravex zz_top' where id = $1",
      [zoe.id],
    );
    for (const text of ["z", "zz", "z_", "zz_", "z_t", "top", "zz_top", "q", "qa", "av"]) {
      expect(await found(text), text).toEqual(["Qara Vex"]);
    }
    // not across name and username
    for (const text of ["xz", "xzz"]) expect(await found(text), text).toEqual([]);
  });

  describe("by one and two characters", () => {
    beforeAll(async () => {
      for (const name of [
        "陽子 小林",
        "田中花子",
        "지은 이",
        "Marlow Byron Stoker",
        "Kwame Nkrumah-Boateng",
        "Işık Yıldız",
        "Ευα Σουρής",
        "Jürgen Groß",
        "דוד\u200f כהן",
        "𠮷野 家",
        "Café Ōe",
        "Fox🦊👩‍🚀",
        "สมชาย ใจดี",
      ]) {
        await on.member(name);
      }
      await plainUsernames();
    });

    test.each([
      // a whole surname, anywhere
      ["小林", ["陽子 小林"]],
      ["이", ["지은 이"]],
      ["은이", ["지은 이"]],
      ["은", ["지은 이"]],
      ["林", ["陽子 小林"]],
      ["花", ["田中花子"]],
      // a second or a middle name begins with it, or it is inside one
      ["by", ["Marlow Byron Stoker"]],
      ["BY", ["Marlow Byron Stoker"]],
      ["st", ["Marlow Byron Stoker"]],
      ["s t", ["Marlow Byron Stoker"]],
      ["ke", ["Marlow Byron Stoker"]],
      ["wb", ["Marlow Byron Stoker"]],
      ["bo", ["Kwame Nkrumah-Boateng"]],
      // one letter begins a word
      ["b", ["O'Brien", "Marlow Byron Stoker", "Kwame Nkrumah-Boateng"]],
      ["w", []],
      ["ο", []],
      ["Σ", ["Ευα Σουρής"]],
      // letters whose other case is more than one letter
      ["IŞ", ["Işık Yıldız"]],
      ["ış", ["Işık Yıldız"]],
      ["YILDIZ", ["Işık Yıldız"]],
      ["ΗΣ", ["Ευα Σουρής"]],
      ["ης", ["Ευα Σουρής"]],
      ["GROSS", ["Jürgen Groß"]],
      ["oß", ["Jürgen Groß"]],
      ["ẞ", ["Jürgen Groß"]],
      // other directions, planes, marks, and invisible characters
      ["כה", ["דוד\u200f כהן"]],
      ["דכ", ["דוד\u200f כהן"]],
      ["כ", ["דוד\u200f כהן"]],
      ["𠮷", ["𠮷野 家"]],
      ["𠮷野", ["𠮷野 家"]],
      ["野家", ["𠮷野 家"]],
      ["é", []],
      ["fé", ["Café Ōe"]],
      ["e\u0301o\u0304", ["Café Ōe"]],
      ["🦊", ["Fox🦊👩‍🚀"]],
      ["👩‍🚀", ["Fox🦊👩‍🚀"]],
      ["🚀", ["Fox🦊👩‍🚀"]],
      ["\ud83e", []],
      ["ช", ["สมชาย ใจดี"]],
      ["ดจ", []],
      ["ใจ", ["สมชาย ใจดี"]],
    ])("%s finds %j", async (text, names) => {
      expect(await found(text)).toEqual(names);
    });

    test("puts names that begin with them first, then words that do, then names that contain them", async () => {
      for (const name of ["Wanda Okq", "Qoq Oya", "Okqa Li"]) await on.member(name);
      await plainUsernames();
      expect(await found("ok")).toEqual(["Okqa Li", "Wanda Okq", "Marlow Byron Stoker"]);
    });

    test("follow a change of name and of username", async () => {
      const viewer = await on.member("Vor Her");
      await plainUsernames();
      expect(await found("vh")).toEqual([]);
      expect(await found("rh")).toEqual(["Vor Her"]);
      await query(
        db,
        `update accounts set first_name = 'Xi', second_name = 'Zu', full_name = 'Xi Zu',
          search_name = 'xizu ' || username where id = $1`,
        [viewer.id],
      );
      expect(await found("rh")).toEqual([]);
      expect(await found("xizu")).toEqual(["Xi Zu"]);
      expect(await found("x")).toEqual(["Xi Zu"]);
    });
  });

  test("takes wildcards, quotes and backslashes literally", async () => {
    for (const text of ["%", "%%%", "___", "a_n", "\\", "\\%a", "'; --", '"', "n%l"]) {
      expect(await found(text), text).toEqual([]);
    }
    expect(await found("_")).toEqual([]);
    expect(await found("er_score")).toEqual(["under_score"]);
  });

  test.each(["", "   ", "\n\t", "\u0000", "\u200b"])("needs a word (%j)", async (text) => {
    await expect(on.search.accounts(null, text, null, here)).rejects.toMatchObject({
      code: "input-invalid",
      fields: { query: "required*" },
    });
  });

  test("accepts any text", async () => {
    for (const text of ["a".repeat(100_000), "\ud800", "👨‍👩‍👧‍👦", "q\u0000x", "ﷺ".repeat(300)]) {
      expect(await found(text)).toEqual([]);
    }
  });

  test("pages through all matches, each once, in the same order", async () => {
    await insertAccounts(db, 100, (index) => `Many ${"x".repeat(index % 7)}${index}`);
    const pages = await everyPage((cursor) => on.search.accounts(null, "many", cursor, here));
    expect(pages).toHaveLength(100);
    expect(new Set(pages.map(({ id }) => id)).size).toBe(100);
    const lengths = pages.map(({ name, username }) => `${name} ${username}`.length);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
  });

  test("refuses an invalid cursor", async () => {
    for (const cursor of ["x", "WzFd", "WzEsMSwiYSIsIngiXQ", "WzFlOTksMSwiYSIsIjAiXQ"]) {
      await expect(on.search.accounts(null, "ann", cursor, here)).rejects.toMatchObject({
        code: "input-invalid",
      });
    }
  });

  test("finds somebody with the longest of names", async () => {
    const name = "\u0e01\u0e34\u0e48".repeat(50);
    await on.member(name);
    expect(await found(name.slice(0, 6))).toEqual([name]);
  });
});
