import { beforeAll, expect, test } from "vitest";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";

let on: Awaited<ReturnType<typeof testApp>>;

beforeAll(async () => {
  const { db } = await freshDatabase();
  on = await testApp(db);
});

test.each(["blocks", "mutes"])(
  "a program lists, makes and lifts %s, for its member alone",
  async (list) => {
    const ada = await on.features.member("Ada");
    const bob = await on.features.member("Bob");
    const state = list === "blocks" ? "blocked" : "muted";
    const path = `/api/${list}/${bob.id}`;
    for (let times = 0; times < 2; times += 1) {
      const made = await on.call(ada, "PUT", path);
      expect([made.statusCode, made.json()]).toEqual([200, { [state]: true }]);
    }
    expect((await on.call(ada, "GET", `/api/${list}`)).json()).toMatchObject({
      items: [{ id: bob.id }],
      nextCursor: null,
    });
    expect((await on.call(bob, "GET", `/api/${list}`)).json()).toMatchObject({ items: [] });
    const lifted = await on.call(ada, "DELETE", path);
    expect([lifted.statusCode, lifted.json()]).toEqual([200, { [state]: false }]);
    expect((await on.call(ada, "GET", `/api/${list}`)).json()).toMatchObject({ items: [] });

    for (const [caller, method, address, status, code] of [
      [null, "GET", `/api/${list}`, 401, "sign-in-required"],
      [null, "PUT", path, 401, "sign-in-required"],
      [ada, "PUT", `/api/${list}/${ada.id}`, 400, "self-block"],
      [ada, "DELETE", `/api/${list}/not-an-id`, 400, "input-invalid"],
      [ada, "PUT", `/api/${list}/00000000-0000-7000-8000-000000000000`, 404, "not-found"],
    ] as const) {
      const refused = await on.call(caller, method, address);
      expect([refused.statusCode, refused.json().error.code], `${method} ${address}`).toEqual([
        status,
        code,
      ]);
    }
  },
);

test("a mute ends after as many seconds as a program says", async () => {
  const [ada, bob] = [await on.features.member("Ada"), await on.features.member("Bob")];
  const muted = async (query: string) =>
    (await on.call(ada, "PUT", `/api/mutes/${bob.id}${query}`)).statusCode;
  const until = async () => (await on.call(ada, "GET", "/api/mutes")).json().items[0]?.until;
  for (const query of ["?seconds=-1", "?seconds=soon", "?seconds=1.5", "?seconds=99999999"])
    expect(await muted(query), query).toBe(400);
  expect(await muted("?seconds=60")).toBe(200);
  expect(await until()).toBeGreaterThan(Date.now());
  // as a form without scripts sends it
  expect(await muted("?seconds=")).toBe(200);
  expect(await until()).toBeNull();
});
