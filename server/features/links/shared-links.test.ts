import { beforeEach, describe, expect, test } from "vitest";
import { guestTest } from "#server/test/guests.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import { endOfDay } from "#shared/shared-links.inputs.ts";

const { db, on, call, here, begin, publish, linkTo } = await guestTest();

beforeEach(begin);

describe("a member's links", () => {
  test("are a hundred at most, and few in an hour", async () => {
    const { number } = await publish("everyone");
    const payload = { kind: "post", number };
    for (let time = 0; time < limits.writes.links.perHour; time += 1) {
      expect((await call(here.maker, "POST", "/api/links", { payload })).statusCode).toBe(201);
    }
    expect((await call(here.maker, "POST", "/api/links", { payload })).statusCode).toBe(429);
    await query(
      db,
      `insert into shared_links (account_id, id, token_hash, kind, audience)
       select $1, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 'profile', 'everyone'
       from generate_series(1, 70)`,
      [here.maker.id],
    );
    const full = await call(here.maker, "POST", "/api/links", { payload });
    expect(full.json()).toMatchObject({ error: { code: "shared-links-full" } });
  });

  test("end on the day that was chosen where their maker is, never, or in the time that was", async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const dated = await linkTo({ lasts: "date", until: tomorrow });
    expect(dated.link.expiresAt).toBe(Date.parse(`${tomorrow}T23:59:59Z`));
    const zones = { "Pacific/Kiritimati": -14, "America/Los_Angeles": 8, "No/Where": 0 };
    for (const [timeZone, hours] of Object.entries(zones)) {
      // no change of clocks between them
      const until = `${new Date().getUTCFullYear() + 1}-01-15`;
      const { link } = await linkTo({ lasts: "date", until, timeZone });
      expect(link.expiresAt, timeZone).toBe(Date.parse(`${until}T23:59:59Z`) + hours * 3_600_000);
    }
    expect((await linkTo({ lasts: "never" })).link.expiresAt).toBeNull();
    const { number } = await publish("everyone");
    for (const until of ["", "2020-01-01", "2999-01-01"]) {
      const payload = { kind: "post", number, lasts: "date", until };
      const refused = await call(here.maker, "POST", "/api/links", { payload });
      expect(refused.json()).toMatchObject({ error: { fields: { until: expect.any(String) } } });
    }
  });

  test("are ended by nobody else", async () => {
    const { link } = await linkTo();
    const other = await on.member("Olga Other");
    expect((await call(other, "DELETE", `/api/links/${link.id}`)).statusCode).toBe(404);
    expect((await call(here.maker, "GET", "/api/links")).json()).toMatchObject({
      items: [{ id: link.id }],
    });
  });
});

test.each([
  ["Europe/Berlin", "2026-03-28", "22:59:59"],
  ["Europe/Berlin", "2026-03-29", "21:59:59"],
  ["Europe/Berlin", "2026-10-25", "22:59:59"],
  ["Asia/Kolkata", "2026-10-25", "18:29:59"],
])("a day in %s, %s, ends when the clocks there say so", (zone, day, clock) => {
  expect(new Date(endOfDay(day, zone)).toISOString()).toBe(`${day}T${clock}.000Z`);
});
