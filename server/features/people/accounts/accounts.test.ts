import { sql } from "#server/platform/db/sql.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { createAccounts } from "#server/features/people/accounts/accounts.ts";
import { accountSummary, summariesOf } from "#server/features/people/accounts/summary.queries.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testIdentity } from "#server/test/identity.ts";
import type { Viewer } from "#shared/views.ts";

const statements: string[] = [];
let db: Database;
let accounts: ReturnType<typeof createAccounts>;
let identity: ReturnType<typeof testIdentity>;
let ada: Viewer;

beforeAll(async () => {
  ({ db } = await freshDatabase((text) => statements.push(text)));
  accounts = createAccounts({ db });
  identity = testIdentity(db);
  const fields = { email: "Ada.L@Example.org", firstName: "Ada", secondName: "Lovelace" };
  ada = (await identity.join(fields)).viewer;
  await db.query(sql`
    insert into usernames (username, account_id) values ('countess', ${ada.id})
  `);
});

describe("an address", () => {
  test.each(["ada_lovelace", "Ada_Lovelace", "countess", "ada.l@example.org", "ADA.L@example.org"])(
    "%s leads to its account",
    async (address) => {
      const found = await accounts.findByAddress(null, address);
      expect(found).toEqual({ id: ada.id, username: "ada_lovelace" });
    },
  );

  test.each([
    ["nobody's email", "ada@example.org"],
    ["a part of an email", "@example.org"],
    ["nobody's username", "ada_lovelace2"],
    ["nothing", ""],
    ["a NUL", "ada.l@example.org\0"],
    ["100,000 characters", `${"a".repeat(100_000)}@example.org`],
    ["half a character", "\ud800@example.org"],
    ["a word of our routes", "upload"],
    ["a pattern", "ada%"],
  ])("that is %s leads nowhere", async (_name, address) => {
    expect(await accounts.findByAddress(null, address)).toBeNull();
  });

  test("that is the email of somebody who does not want to be found by it finds nobody", async () => {
    const { viewer } = await identity.join({ email: "shy@example.org", firstName: "Shy" });
    await db.query(sql`update accounts set findable_by_email = false where id = ${viewer.id}`);
    expect(await accounts.findByAddress(null, "shy@example.org")).toBeNull();
    expect(await accounts.findByAddress(null, "shy")).toMatchObject({ id: viewer.id });
  });
});

describe("an id", () => {
  test("leads to its account", async () => {
    expect(await accounts.findById(null, ada.id)).toEqual({ id: ada.id, username: "ada_lovelace" });
    expect(await accounts.findById(null, ada.id.toUpperCase())).not.toBeNull();
  });

  test.each([
    "",
    "1",
    "not-an-id",
    "00000000-0000-7000-8000-000000000000",
    "\0",
    "x".repeat(100_000),
  ])("that is none leads nowhere (%#)", async (id) => {
    expect(await accounts.findById(null, id)).toBeNull();
  });
});

describe.each(["suspended_at", "deleted_at"] as const)("an account with %s set", (column) => {
  test("is found by nothing and has a summary for nobody", async () => {
    const { viewer } = await identity.join();
    expect(await accounts.findById(null, viewer.id)).not.toBeNull();
    await db.query(sql`
      update accounts set ${sql.ref(column)} = now() where id = ${viewer.id}
    `);
    expect(await accounts.findById(null, viewer.id)).toBeNull();
    expect(await accounts.findByAddress(null, viewer.username)).toBeNull();
    expect(await accounts.findByAddress(null, viewer.email)).toBeNull();
    expect(await summariesOf(db, null, [viewer.id])).toEqual(new Map());
  });
});

describe("summaries", () => {
  test("come in one round trip, with name and avatar and never the email", async () => {
    const { viewer: nameless } = await identity.join();
    statements.length = 0;
    const found = await summariesOf(db, null, [ada.id, nameless.id, ada.id]);
    expect(statements).toHaveLength(1);
    expect([...found.keys()].toSorted()).toEqual([ada.id, nameless.id].toSorted());
    expect(found.get(ada.id)).toEqual({
      id: ada.id,
      username: "ada_lovelace",
      name: "Ada Lovelace",
      avatar: ada.avatar,
    });
    expect(found.get(nameless.id)?.name).toBe(nameless.username);
  });

  test("need no round trip for no ids", async () => {
    statements.length = 0;
    expect(await summariesOf(db, null, [])).toEqual(new Map());
    expect(statements).toEqual([]);
  });

  test("have no avatar for an account without one, and take thumbhashes of any length", async () => {
    await db.transaction(async () => {
      await db.query(sql`
        update images set thumbhash = ${Buffer.alloc(64, 1)} where account_id = ${ada.id}
      `);
      const summary = await summaryOfAda();
      expect(summary?.avatar?.thumbhash).toBe(Buffer.alloc(64, 1).toString("base64"));
      await db.query(sql`update accounts set avatar_image_id = null where id = ${ada.id}`);
      expect((await summaryOfAda())?.avatar).toBeNull();
      await db.query(sql`rollback`);
    });
  });
});

async function summaryOfAda() {
  const rows = await db.query<{ account: Viewer }>(sql`
    select ${accountSummary("author")} as account from accounts author where author.id = ${ada.id}
  `);
  return rows[0]?.account;
}
