import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { extraInputsOf } from "#shared/extra-fields.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;
let asker: Viewer;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  asker = await on.member("Asker");
});

/** Somebody with this website, and these values of fields. */
async function linked(website: string, ...values: string[]): Promise<Viewer> {
  const member = await on.member();
  const fields = extraInputsOf(values.map((value) => ({ name: "", value })));
  await on.profiles.edit(member, { firstName: "Some", secondName: "Body", website, ...fields });
  return member;
}

const find = (...accounts: string[]) => on.elsewhere.find(asker, { accounts });
const idsOf = (people: { id: string }[]) => people.map(({ id }) => id);

describe("those whom somebody followed elsewhere", () => {
  test.each([
    [
      "https://www.instagram.com/Lena.L/",
      "https://www.instagram.com/lena.l",
      "instagram.com/lena.l",
    ],
    ["https://instagram.com/mia?igsh=abc", "https://www.instagram.com/_u/mia", "instagram.com/mia"],
    ["http://social.example/@Noa", "@noa@social.example", "social.example/noa"],
    ["https://social.example/users/oli", "@OLI@Social.example", "social.example/oli"],
    ["pixels.example/pia", "https://pixels.example/pia", "pixels.example/pia"],
  ])("who set %s are found by %s", async (set, followed, elsewhere) => {
    const member = await linked(set);
    const found = { id: member.id, following: false, requested: false, elsewhere, verified: false };
    expect(await find(followed, followed, "https://social.example/@nobody")).toMatchObject([found]);
    // As a field it is the same.
    const other = await linked("", "she/her", set.startsWith("http") ? set : `https://${set}`);
    expect(idsOf(await find(followed)).toSorted()).toEqual([member.id, other.id].toSorted());
  });

  test("who set a name with its server are found, once for all their names", async () => {
    const member = await linked("https://instagram.com/quinn", "@Quinn@social.example");
    expect(idsOf(await find("https://instagram.com/quinn", "@quinn@social.example"))).toEqual([
      member.id,
    ]);
  });

  test("are not found by a part of a name, by another page, or by an email", async () => {
    await linked(
      "https://instagram.com/rosalie",
      "https://instagram.com/p/rosa",
      "rosa@mail.example",
    );
    await linked("https://notinstagram.com/rosa");
    const asked = ["https://instagram.com/rosa", "@rosa@mail.example", "rosa", "%", "\0{}\"'\\"];
    expect(await find(...asked)).toEqual([]);
  });

  test("are marked where that address names their profile, too, and while it is in it", async () => {
    const member = await linked("https://social.example/@sam");
    await query(db, "insert into verified_links (account_id, address) values ($1, $2)", [
      member.id,
      "https://social.example/@sam",
    ]);
    expect(await find("@sam@social.example")).toMatchObject([{ verified: true }]);
    await on.profiles.edit(member, {
      firstName: "Some",
      secondName: "Body",
      website: "https://social.example/@other",
    });
    expect(await find("@sam@social.example")).toEqual([]);
    expect(await find("@other@social.example")).toMatchObject([{ verified: false }]);
  });

  test("are neither the asker, nor suspended or deleted accounts; a private one is, and can be asked", async () => {
    const [here, suspended, deleted] = [
      await linked("https://instagram.com/tilda"),
      await linked("https://instagram.com/tilda"),
      await linked("https://instagram.com/tilda"),
    ];
    await on.profiles.edit(asker, {
      firstName: "As",
      secondName: "Ker",
      website: "https://instagram.com/tilda",
    });
    await query(db, "update accounts set suspended_at = now() where id = $1", [suspended.id]);
    await query(db, "update accounts set deleted_at = now() where id = $1", [deleted.id]);
    await on.privacy.set(here, true);
    await on.follows.follow(asker, here.id);
    expect(await find("https://instagram.com/tilda")).toMatchObject([
      { id: here.id, following: false, requested: true },
    ]);
  });

  test("are so many at most who write the same name", async () => {
    for (let count = 0; count <= limits.elsewhere.perName; count += 1)
      await linked("https://instagram.com/famous");
    expect(await find("https://instagram.com/famous")).toHaveLength(limits.elsewhere.perName);
  });

  test("are not crowded out by those who write the name of somebody whose page leads back", async () => {
    const address = "https://instagram.com/uma";
    const write = async (count: number) => {
      for (let at = 0; at < count; at += 1) await linked(address);
    };
    await write(limits.elsewhere.perName);
    const uma = await linked(address);
    await write(limits.elsewhere.perName);
    const verify = (of: string) =>
      query(db, "insert into verified_links (account_id, address) values ($1, $2)", [of, address]);
    await verify(uma.id);
    // No longer on this profile, and not looked at again since.
    await verify((await linked("https://instagram.com/other")).id);
    const found = await find(address);
    expect(idsOf(found.filter(({ verified }) => verified))).toEqual([uma.id]);
    expect(found.length).toBeLessThanOrEqual(1 + limits.elsewhere.perName);
  });

  test("are looked for so many at once, and so often in an hour", async () => {
    const { call, features } = await testApp(db, {}, { rateLimits: true });
    const member = await features.member();
    const ask = async (accounts: unknown) =>
      (await call(member, "POST", "/calls/imports/people", { payload: { accounts } })).statusCode;
    const many = Array.from({ length: limits.elsewhere.atOnce }, (_, at) => `@a${at}@m.example`);
    expect(await ask([...many, "@one@too.many"])).toBe(400);
    expect(await ask(["x".repeat(limits.elsewhere.address + 1)])).toBe(400);
    expect(await ask("instagram")).toBe(400);
    for (let count = 0; count < 10; count += 1) expect(await ask(many)).toBe(200);
    expect(await ask(["@a@m.example"])).toBe(429);
  });
});
