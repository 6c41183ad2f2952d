import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { createSearch } from "#server/features/people/search/search.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everything } from "#server/test/everything.ts";
import { costsOf } from "#server/test/explain.ts";
import { everyPage, testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

const statements: string[] = [];
let db: Database;
let on: TestFeatures;
let search: ReturnType<typeof createSearch>;

beforeAll(async () => {
  ({ db } = await freshDatabase((text) => statements.push(text)));
  on = testFeatures(db);
  search = createSearch({ db, secret: "a secret of tests", limited: true });
  // where costs are counted, so many that reading them all would cost more than an index
  await insertAccounts(db, everything ? 10_000 : 1000);
  await query(db, "vacuum analyze accounts");
}, 240_000);

let lastIp = 0;
/** A network that has not searched yet. */
const newNetwork = () => ({ ip: `198.51.${Math.floor((lastIp += 1) / 250)}.${lastIp % 250}` });

async function found(text: string, client = newNetwork(), viewer: Viewer | null = null) {
  const page = await search.accounts(viewer, text, null, client);
  return page.items.map(({ name }) => name);
}

/** Sends `count` different queries that could be a part of an email. */
async function ask(count: number, client: { ip: string }, viewer: Viewer | null = null) {
  for (let i = 0; i < count; i += 1) await found(`guess-${i}@`, client, viewer);
}

async function withEmail(name: string, email: string): Promise<Viewer> {
  const viewer = await on.member(name);
  await query(db, "update accounts set email_as_typed = $2, email = lower($2) where id = $1", [
    viewer.id,
    email,
  ]);
  return viewer;
}

describe("searching by a part of the email", () => {
  beforeAll(async () => {
    await withEmail("Grace Hopper", "Amazing.Grace+navy@Cobol.example");
    await withEmail("Percy Cent", "100%_sure@odd.example");
  });

  test.each([
    ["Amazing.Grace+navy@Cobol.example", ["Grace Hopper"]],
    ["@Cobol", ["Grace Hopper"]],
    ["ing.Grac", ["Grace Hopper"]],
    ["  @Cobol\n", ["Grace Hopper"]],
    ["100%_su", ["Percy Cent"]],
    ["@odd.", ["Percy Cent"]],
    // letter case counts
    ["@cobol", []],
    ["amazing.g", []],
    // as do its characters, none of which is a wildcard
    ["100_%su", []],
    ["Amaz%Cobol", []],
    ["Amazing_Grace", []],
    ["@C bol", []],
    ["Amazing.Grace+navy@Cobol.example.", []],
  ])("%s finds %j", async (text, names) => {
    expect(await found(text)).toEqual(names);
  });

  test("a whole email finds only its owner, in its letter case", async () => {
    const owner = await withEmail("Nora Key", "Nora.Key@whole.example");
    await withEmail("Elnora", "elnora.key@whole.example");
    await withEmail("Long Nora", "long.Nora.Key@whole.example");
    expect(await found("Nora.Key@whole.example")).toEqual(["Nora Key"]);
    expect(await found("nora.key@whole.example")).toEqual(["Elnora"]);
    expect(await found("ora.Key@whole.ex")).toEqual(["Nora Key", "Long Nora"]);
    // one who is not found by it does not come before those who are
    await on.settings.change(owner, { findableByEmail: false });
    expect(await found("Nora.Key@whole.example")).toEqual(["Long Nora"]);
  });

  test("needs four characters", async () => {
    expect(await found("Cob")).toEqual([]);
    expect(await found("Cobo")).toEqual(["Grace Hopper"]);
    expect(await found("@Co")).toEqual([]);
    expect(await found("@Cob")).toEqual(["Grace Hopper"]);
  });

  test("puts those who are found by name first, and nobody twice", async () => {
    await withEmail("Zed Whistler", "someone@whistler.example");
    await withEmail("Whistler Brown", "brown@other.example");
    await withEmail("Anna", "anna@whistler.example");
    expect(await found("whistler")).toEqual(["Whistler Brown", "Zed Whistler", "Anna"]);
  });

  test("does not find those who do not want to be found by it", async () => {
    const shy = await withEmail("Shy One", "quiet.mouse@example.net");
    expect(await found("quiet.mouse")).toEqual(["Shy One"]);
    await on.settings.change(shy, { findableByEmail: false });
    expect(await found("quiet.mouse")).toEqual([]);
    expect(await found("quiet.mouse@example.net", newNetwork(), shy)).toEqual([]);
    await on.settings.change(shy, { findableByEmail: true });
    await on.suspend(shy);
    expect(await found("quiet.mouse")).toEqual([]);
  });

  test("answers avatar and name, never the email, also where its owner shows it", async () => {
    const open = await withEmail("Open Book", "open.book@example.net");
    await on.settings.change(open, { showEmail: true });
    const page = await search.accounts(null, "open.book@", null, newNetwork());
    expect(page.items).toEqual([
      {
        id: open.id,
        username: open.username,
        name: "Open Book",
        avatar: open.avatar,
        bio: "",
        following: false,
        requested: false,
        followedBy: null,
      },
    ]);
    expect(JSON.stringify(page)).not.toContain("@");
  });

  test("pages through all matches, each once, and a page more counts as no other query", async () => {
    const people = await insertAccounts(db, 75, (index) => `Somebody ${index}`);
    await query(
      db,
      `update accounts set email = 'p' || replace(id::text, '-', '') || '@pages.example',
        email_as_typed = 'p' || replace(id::text, '-', '') || '@pages.example'
        where id = any($1)`,
      [people.map(({ id }) => id)],
    );
    const network = newNetwork();
    const all = await everyPage((cursor) => search.accounts(null, "@pages.ex", cursor, network));
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set(people.map(({ id }) => id)));
    expect(all).toHaveLength(75);
    const [row] = await query<{ n: string }>(
      db,
      "select max((select count(*) from jsonb_object_keys(queries))) as n from email_searches where expires_at = (select max(expires_at) from email_searches)",
    );
    expect(Number(row?.n)).toBe(1);
  });
});

describe("extending a query letter by letter", () => {
  const hour = limits.emailSearch.queriesPerHour;

  beforeAll(async () => {
    await withEmail("Target Person", "target@private.example");
  });

  test("ends after 30 different queries: from then on names only, without a message", async () => {
    const network = newNetwork();
    await ask(hour - 1, network);
    expect(await found("target@private", network)).toEqual(["Target Person"]);
    expect(await found("target@private.e", network)).toEqual([]);
    expect(await found("target", network)).toEqual(["Target Person"]);
    expect(await found("target@priv", network)).toEqual([]);
    // sent before: not another query
    expect(await found("target@private", network)).toEqual(["Target Person"]);
    // another network is another visitor
    expect(await found("target@private.e")).toEqual(["Target Person"]);
  });

  test("is counted together for all addresses of one IPv6 network", async () => {
    await ask(hour, { ip: "2001:db8:1:2::1" });
    expect(await found("target@private", { ip: "2001:db8:1:2:ffff::9" })).toEqual([]);
    expect(await found("target@private", { ip: "2001:db8:1:3::1" })).toEqual(["Target Person"]);
  });

  test("is counted for a member in any network, and not for the network", async () => {
    const [member, other] = [await on.member("Curious Cat"), await on.member("Other Cat")];
    const home = newNetwork();
    await ask(hour, home, member);
    expect(await found("target@private", newNetwork(), member)).toEqual([]);
    expect(await found("target@private", home, other)).toEqual(["Target Person"]);
    expect(await found("target@private", home)).toEqual(["Target Person"]);
  });

  test("gets no further with a hundred queries at once", async () => {
    const network = newNetwork();
    const people = await insertAccounts(db, 60, (index) => `Many ${index}`);
    const texts = people.map(({ email }) => email);
    const answers = await Promise.all(texts.map((text) => found(text, network)));
    expect(answers.filter((names) => names.length > 0)).toHaveLength(hour);
  });

  test("is possible again an hour after the first of them, one by one", async () => {
    const network = newNetwork();
    await ask(hour, network);
    expect(await found("target@private", network)).toEqual([]);
    await query(
      db,
      `update email_searches set queries = (
        select jsonb_object_agg(key, case when n = 1 then value::bigint - 3600001 else value::bigint end)
        from (select *, row_number() over () as n from jsonb_each(queries)) q
      ) where expires_at = (select max(expires_at) from email_searches)`,
    );
    expect(await found("target@private", network)).toEqual(["Target Person"]);
    expect(await found("target@private.", network)).toEqual([]);
  });

  test("does not count what cannot be a part of an email", async () => {
    const network = newNetwork();
    for (let i = 0; i < hour + 5; i += 1) {
      await found(`né${i} zz`, network);
      await found(`${i % 10}${i % 7}`, network);
      await found(`two words ${i}`, network);
    }
    expect(await found("target@private", network)).toEqual(["Target Person"]);
  });

  test("leaves no trace of people, networks and what they search for", async () => {
    await found("target@private", { ip: "203.0.113.77" });
    const rows = JSON.stringify(await query(db, "select * from email_searches"));
    for (const secret of ["203.0.113", "target", "private"]) expect(rows).not.toContain(secret);
  });

  test("is deleted by the sweep an hour later, and not before", async () => {
    await found("target@private");
    const count = async () => (await query(db, "select 1 from email_searches")).length;
    const before = await count();
    await search.sweep();
    expect(await count()).toBe(before);
    await query(db, "update email_searches set expires_at = now() - interval '1 second'");
    await search.sweep();
    expect(await count()).toBe(0);
  });
});

describe.runIf(everything)("the cost of a search", () => {
  const network = newNetwork();

  test("is one round trip for names, two with emails", async () => {
    statements.length = 0;
    await found("li", network);
    expect(statements).toHaveLength(1);
    await found("somebody@", network);
    expect(statements).toHaveLength(3);
  });

  test.each(["generic", "custom"] as const)(
    "reads emails by their index (%s plan)",
    async (plan) => {
      await query(db, "vacuum analyze accounts");
      const costs = await costsOf(
        db,
        (watched) =>
          createSearch({ db: watched, secret: "s", limited: true }).accounts(
            null,
            "target@private",
            null,
            network,
          ),
        plan,
      );
      const cost = costs.find(({ name }) => name.startsWith("search.accounts"));
      expect(cost?.indexes).toContain("accounts_email_grams");
      expect(cost?.scans.join("\n")).not.toContain("Seq Scan");
      expect(cost?.rowsRead).toBeLessThan(50);
    },
  );

  test("does not grow with the matches: candidates are bounded", async () => {
    const page = await everyPage((cursor) =>
      search.accounts(null, "@example.org", cursor, network),
    );
    expect(page.length).toBeLessThanOrEqual(limits.searchCandidates);
    expect(page.length).toBeGreaterThan(limits.accountsPage);
  });
});
