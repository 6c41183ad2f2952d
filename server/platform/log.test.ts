import { expect, test } from "vitest";
import { describeError } from "#server/platform/log.ts";

test("a logged database error describes the fault without personal data", () => {
  const error = Object.assign(new Error("duplicate key value violates unique constraint"), {
    code: "23505",
    constraint: "accounts_email",
    detail: "Key (email)=(ada@example.org) already exists.",
    client: { password: "secret" },
    cause: Object.assign(new Error("socket hang up"), { request: "ada@example.org" }),
  });
  const described = describeError(error);
  expect(described).toMatchObject({ code: "23505", constraint: "accounts_email" });
  expect(described["cause"]).toMatchObject({ message: "socket hang up" });
  expect(JSON.stringify(described)).not.toMatch(/ada@|secret/);
});
