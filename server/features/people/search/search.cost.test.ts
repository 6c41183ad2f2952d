import type pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { firstKey } from "#server/features/people/search/search-ranks.queries.ts";
import { piecesOf } from "#server/features/people/search/search-steps.queries.ts";
import { searchAccounts } from "#server/features/people/search/search.queries.ts";
import { createSearch } from "#server/features/people/search/search.ts";
import { insertAccounts, insertFollows } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costsOf } from "#server/test/explain.ts";
import { everyPage } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";
import { limits } from "#shared/limits.ts";

/* Counted work among 20,000 accounts, a quarter of them called Anna, all with a further name. */
let db: Database;
let connection: pg.ClientConfig;

beforeAll(async () => {
  ({ db, connection } = await freshDatabase());
  const letters = [..."bcdfghjklmnpqrstvwz"];
  const people = await insertAccounts(db, 20_000, (index) => {
    const rest = [1, 19, 361].map((step) => letters[Math.floor(index / step) % 19]).join("o");
    return `${index % 4 ? rest : "Anna"} ${rest}anna`;
  });
  // enough of them that reading all would cost more
  await insertFollows(db, people.slice(300, 600), people.slice(0, 100));
}, 240_000);

describe.each(["right after loading", "with statistics"])("a search, %s", (moment) => {
  beforeAll(async () => {
    if (moment === "with statistics") await query(db, "vacuum analyze");
  });

  // a member's search leaves out whom a block hides: here the newest thousand
  const member = { id: "" } as Viewer;
  beforeAll(async () => {
    if (member.id) return;
    const [someone] = await insertAccounts(db, 1);
    Object.assign(member, someone);
    const followed = await query<{ id: string }>(
      db,
      "select id from accounts where id <> $1 order by id limit 100",
      [member.id],
    );
    await insertFollows(db, [member], followed);
    await query(
      db,
      `insert into blocks (account_id, other_id, own, id)
      select $1, id, true, id from (select id from accounts where id <> $1 order by id desc limit 1000) a`,
      [member.id],
    );
  });

  test.each([
    ["a", "5,000 names begin with it"],
    ["an", "5,000 names begin with it"],
    ["ann", "all contain it"],
    ["anna", "all contain it"],
    ["oba", "some hundreds contain it"],
    ["bobob", "few contain it"],
    ["qqq", "nobody has it"],
    ["qx", "nobody has it"],
    ["b", "some thousands have a word that begins with it"],
    ["na", "all contain it"],
    ["ob", "most contain it"],
    ["_", "no word begins with it"],
    ["c_", "every username begins with it"],
    ["!!!", "nobody has it"],
    ["c_0", "every username begins like it"],
  ])("for %s (%s) reads a bounded number of rows, by index", async (text) => {
    for (const viewer of [null, member]) {
      const search = (on: Database) =>
        createSearch({ db: on, secret: "", limited: false }).accounts(viewer, text, null);
      for (const plan of ["generic", "custom"] as const) {
        const [cost] = await costsOf(db, search, plan);
        // four lots of candidates and the accounts shown, each with a probe for its picture, a block
        // and a follow; 60 hidden ones at most are passed over on the way to a page of any of these,
        // and the fifty whom a member followed last are asked whether they follow those shown; before it has
        // statistics, PostgreSQL expects few blocks and reads all that the member has
        const shown = limits.accountsPage + 1;
        const friends = limits.knownFollowers * (shown + 4) + 2 * 60 + 1000;
        const most = 4 * limits.searchCandidates + 4 * shown + (viewer ? friends : 0) + 20;
        expect(cost?.rowsRead, plan).toBeLessThanOrEqual(most);
        expect(cost?.scans, plan).not.toContain("accounts: Seq Scan");
        expect(cost?.scans.join(), plan).not.toMatch(/(blocks|follows): Seq Scan/);
      }
    }
  });

  // a sixty-fourth of 20,000 has 312 of what everybody has: enough for 100 candidates
  const bound = 100;
  const lookUp =
    (what: { query: string; inside?: string[]; emailPart?: string }) => (on: Database) =>
      searchAccounts(on, {
        viewerId: null,
        begins: null,
        inside: what.inside ?? null,
        emailPart: what.emailPart ?? null,
        query: what.query,
        after: firstKey,
        bound,
        sampled: bound,
        limit: limits.accountsPage + 1,
      });

  test.each([
    ["a piece of every name", { query: "nna", inside: ["nna"] }],
    ["the domain of every email", { query: "@example.org", emailPart: "@example.org" }],
  ])("collects %s among a sample of the accounts only", async (_, what) => {
    for (const plan of ["generic", "custom"] as const) {
      const [cost] = await costsOf(db, lookUp(what), plan);
      expect(cost?.collected, plan).toBeGreaterThanOrEqual(bound);
      expect(cost?.collected, plan).toBeLessThan(20_000 / 32);
    }
    expect(await lookUp(what)(db)).toHaveLength(31);
  });

  test("collects little for what is rare as a whole, of pieces that many have", async () => {
    const [someone] = await query<{ username: string }>(
      db,
      "select username from accounts order by md5(id::text) limit 1",
    );
    const { username = "" } = someone ?? {};
    const text = username.slice(4);
    const [named] = await costsOf(db, lookUp({ query: text, inside: piecesOf(text) }));
    expect(named?.collected).toBeLessThan(100);
    expect(await lookUp({ query: text, inside: piecesOf(text) })(db)).toHaveLength(1);
    // a piece of what stands before the domain is enough
    const emailed = { query: "-", emailPart: `${username.slice(-3)}@example.org` };
    const [cost] = await costsOf(db, lookUp(emailed));
    expect(cost?.collected).toBeLessThan(100);
    expect(await lookUp(emailed)(db)).not.toEqual([]);
  });

  test("reads names that begin with it from the index alone", async () => {
    await query(db, "vacuum accounts");
    const [cost] = await costsOf(db, lookUp({ query: "anna" }));
    expect(cost?.scans.join()).toContain("Index Only Scan accounts_search_prefix");
    // those shown are read by their keys
    expect(cost?.buffers).toBeLessThan(2 * bound);
  });

  test("collects no pieces once the names that begin with it are enough", async () => {
    const [cost] = await costsOf(db, lookUp({ query: "anna", inside: ["ann", "nna"] }));
    expect(cost?.collected).toBe(0);
  });

  test("collects no pieces where the names that begin with it fill the page", async () => {
    const text = "bobo";
    const size = await sizes(text);
    expect(size.begin).toBeGreaterThan(limits.accountsPage);
    expect(size.begin).toBeLessThan(bound);
    expect(size.all).toBeGreaterThan(size.begin);
    const what = { query: text, inside: piecesOf(text), emailPart: text };
    for (const plan of ["generic", "custom"] as const) {
      const [cost] = await costsOf(db, lookUp(what), plan);
      expect(cost?.collected, plan).toBe(0);
    }
    // and the pages after it have the others
    const { accounts } = createSearch({ db, secret: "", limited: false });
    const found = await everyPage((cursor) => accounts(null, text, cursor));
    expect(found).toHaveLength(size.all);
    expect(new Set(found.map(({ id }) => id)).size).toBe(size.all);
  });

  test("finds the others where blocks hide those who begin with it", async () => {
    const [someone] = await insertAccounts(db, 1);
    const viewer = { id: someone?.id } as Viewer;
    await query(
      db,
      `insert into blocks (account_id, other_id, own, id)
      select $1, id, true, id from accounts where starts_with(search_name, 'bobo')`,
      [viewer.id],
    );
    const size = await sizes("bobo");
    const { accounts } = createSearch({ db, secret: "", limited: false });
    const found = await everyPage((cursor) => accounts(viewer, "bobo", cursor));
    expect(found).toHaveLength(size.all - size.begin);
  });

  test("of visitors is planned once for all queries of one shape", async () => {
    const log = { warn: () => {}, error: () => {} };
    const one = createDatabase({ connection: { ...connection, max: 1 }, log });
    const { accounts } = createSearch({ db: one, secret: "", limited: false });
    const texts = ["anna", "bobob", "qqqq", "a@example.org", "b", "c", "na", "qx", "oba", "qqq"];
    for (let time = 0; time < 8; time += 1) {
      for (const text of texts) await accounts(null, text, null);
    }
    const plans = await query<{ name: string; custom: string; generic: string }>(
      one,
      `select name, custom_plans as custom, generic_plans as generic from pg_prepared_statements
      where name like 'search.accounts.%'`,
    );
    await one.close();
    // one and two characters, three, and those that may be a part of an email
    expect(plans).toHaveLength(4);
    for (const { name, custom, generic } of plans) {
      expect(Number(generic), name).toBeGreaterThan(0);
      // PostgreSQL plans the first five anew, whatever they cost
      expect(Number(custom), name).toBeLessThanOrEqual(5);
    }
  });

  test("reads a whole email by its key, and nothing else", async () => {
    const [someone] = await query<{ email: string }>(db, "select email from accounts limit 1");
    const { email = "" } = someone ?? {};
    for (const plan of ["generic", "custom"] as const) {
      const [cost] = await costsOf(db, lookUp({ query: email, emailPart: email }), plan);
      expect(cost?.indexes, plan).toContain("accounts_email_key");
      expect(cost?.collected, plan).toBe(0);
      expect(cost?.rowsRead, plan).toBeLessThan(10);
    }
    expect(await lookUp({ query: email, emailPart: email })(db)).toHaveLength(1);
  });

  test("still finds what it should", async () => {
    const { accounts } = createSearch({ db, secret: "", limited: false });
    const first = await accounts(null, "anna", null);
    expect(first.items).toHaveLength(30);
    for (const { name } of first.items) expect(name).toMatch(/^Anna/);
    const few = await accounts(null, "bobob", null);
    expect(few.items.length).toBeGreaterThan(0);
    for (const { name } of few.items) expect(name.replace(" ", "")).toContain("bobob");
  });
});

/** How many names begin with a text, and how many have it anywhere, usernames included. */
async function sizes(text: string): Promise<{ begin: number; all: number }> {
  const [rows] = await query<{ begin: number; all: number }>(
    db,
    `select count(*)::int as all, count(*) filter (where starts_with(search_name, $1))::int as begin
    from accounts where strpos(search_name, $1) > 0`,
    [text],
  );
  return rows ?? { begin: 0, all: 0 };
}
