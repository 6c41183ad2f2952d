import { beforeEach, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { client, goodPassword } from "#server/test/identity.ts";
import { query } from "#server/test/query.ts";

let db: Database;
let on: TestFeatures;

const tokenOf = (path: string | null) => (path ?? "").split("/").at(-1) ?? "";
const operators = async () =>
  (await on.administration.list({ role: "operator" })).items.map(({ id }) => id);

beforeEach(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

test("the link of a start makes one of two takers the operator", async () => {
  const [ada, bob] = [await on.member("Ada First"), await on.member("Bob Second")];
  const token = tokenOf(await on.firstOperator.issue());
  await on.firstOperator.check(token);
  const tries = await Promise.allSettled([
    on.firstOperator.take(ada, token),
    on.firstOperator.take(bob, token),
  ]);
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await operators()).toHaveLength(1);
  const [first = ""] = await operators();
  const opal = { ...ada, operator: true, moderator: true };
  expect((await on.dashboard.log(opal, null)).items).toMatchObject([
    { act: "first-operator", actorId: first, accountId: first },
  ]);
  const carol = await on.member("Carol Late");
  await expect(on.firstOperator.take(carol, token)).rejects.toMatchObject({
    code: "operator-exists",
  });
  await expect(on.firstOperator.check(token)).rejects.toMatchObject({ code: "operator-exists" });
  expect(await on.firstOperator.issue()).toBeNull();
});

test("only the newest link works, for an hour, and its token is stored nowhere", async () => {
  const ada = await on.member("Ada Patient");
  const old = tokenOf(await on.firstOperator.issue());
  const token = tokenOf(await on.firstOperator.issue());
  await expect(on.firstOperator.take(ada, old)).rejects.toMatchObject({
    code: "operator-link-gone",
  });
  const [row] = await query<{ link: string }>(
    db,
    "select operator_link::text as link from operator_link",
  );
  expect(row?.link).not.toContain(token);
  expect(row?.link).not.toContain(Buffer.from(token).toString("hex"));
  await query(db, "update operator_link set expires_at = now() - interval '1 second'");
  await expect(on.firstOperator.take(ada, token)).rejects.toMatchObject({
    code: "operator-link-gone",
  });
  expect(await operators()).toEqual([]);
});

test("the last operator may delete their account, is warned before, and the next start has a link again", async () => {
  const [ada, bob] = [await on.member("Ada Last"), await on.member("Bob Next")];
  await on.firstOperator.take(ada, tokenOf(await on.firstOperator.issue()));
  const opal = { ...ada, operator: true, moderator: true };
  expect(await on.firstOperator.isLast(bob)).toBe(false);
  expect(await on.firstOperator.isLast(opal)).toBe(true);
  await on.dashboard.setRole(null, bob.id, "operator");
  expect(await on.firstOperator.isLast(opal)).toBe(false);
  await on.dashboard.setRole(null, bob.id, "member");

  await on.deletion.request(opal, { username: ada.username, password: goodPassword }, client());
  const token = tokenOf(await on.firstOperator.issue());
  expect(token).not.toBe("");
  // An operator who keeps the account in time is one as before.
  await on.deletion.keep(ada.id);
  await expect(on.firstOperator.take(bob, token)).rejects.toMatchObject({
    code: "operator-exists",
  });
  expect(await on.firstOperator.issue()).toBeNull();
  await on.deletion.requestFor(ada.id, 0);
  await on.deletion.deleteDue();
  await on.firstOperator.take(bob, tokenOf(await on.firstOperator.issue()));
  expect(await operators()).toEqual([bob.id]);
});

test("a link does not work once somebody was given the role", async () => {
  const [ada, bob] = [await on.member("Ada Given"), await on.member("Bob Linked")];
  const token = tokenOf(await on.firstOperator.issue());
  await on.dashboard.setRole(null, ada.id, "operator");
  await expect(on.firstOperator.take(bob, token)).rejects.toMatchObject({
    code: "operator-exists",
  });
  expect(await operators()).toEqual([ada.id]);
});
