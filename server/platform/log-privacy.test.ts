import { expect, test } from "vitest";
import { withoutPersonalData } from "#server/platform/log.ts";

test("what operators read of an error contains no names and no keys", () => {
  const error = Object.assign(
    new Error(
      'duplicate key "ada@example.org" for bob@example.org at https://a.example/verify/abc in /srv/data/x of 0123456789abcdef0123456789abcdef\nsecond line',
    ),
    { code: "23505" },
  );
  const { message, detail } = withoutPersonalData("a job was given up", error);
  expect(message).toBe("a job was given up");
  expect(detail).toMatch(/^Error 23505: duplicate key …/);
  expect(detail).not.toMatch(/ada|bob|verify|srv|0123|second/);
});
