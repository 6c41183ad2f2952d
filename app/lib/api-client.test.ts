import { expect, test } from "vitest";
import { toCallError } from "#app/lib/api-client.ts";

test("shows the server's error message, and our own where a proxy answered", () => {
  const answer = { error: { code: "picture-too-heavy", message: "Too heavy." } };
  expect(toCallError(413, answer)).toMatchObject({
    code: "picture-too-heavy",
    message: "Too heavy.",
  });
  expect(toCallError(413, null)).toMatchObject({ code: "too-large", status: 413 });
  expect(toCallError(413, null).message).toMatch(/smaller/);
  expect(toCallError(502, null)).toMatchObject({ code: "internal", status: 502 });
  expect(toCallError(0, null)).toMatchObject({ code: "away" });
});
