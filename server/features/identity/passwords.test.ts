import { describe, expect, test } from "vitest";
import {
  hashPassword,
  refuseWeakPassword,
  verifyPassword,
} from "#server/features/identity/passwords.ts";
import { passwordLengthProblem, passwordProblems } from "#shared/passwords.ts";

describe("a password's hash", () => {
  test("matches only its password, and is different every time", async () => {
    const [one, two] = await Promise.all([hashPassword("pass word"), hashPassword("pass word")]);
    expect(one).not.toBe(two);
    expect(await verifyPassword({ hash: one, password: "pass word" })).toBe(true);
    expect(await verifyPassword({ hash: one, password: "pass word " })).toBe(false);
    expect(await verifyPassword({ hash: one, password: "" })).toBe(false);
  });

  test("made at another cost, by another program, is understood", async () => {
    // argon2 reference test (phc-winner-argon2, test.c): m=256, t=2, p=1, "password", "somesalt"
    const hash =
      "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
    expect(await verifyPassword({ hash, password: "password" })).toBe(true);
    expect(await verifyPassword({ hash, password: "Password" })).toBe(false);
  });

  test.each([
    "",
    "password",
    "$2b$10$abcdefghijklmnopqrstuv",
    "$argon2id$v=19$m=256,t=2,p=1$c29tZQ$",
  ])("of another kind fits nothing: %s", async (hash) => {
    expect(await verifyPassword({ hash, password: hash })).toBe(false);
  });
});

describe("passwords that are guessed first", () => {
  const owner = {
    email: "Ada.Byron@Engine.example",
    fullName: "Ada Lovelace",
    username: "byron_1815",
  };
  const problemOf = (password: string) =>
    refuseWeakPassword(password, owner).then(
      () => null,
      (error: { code: string; fields: object }) => [error.code, error.fields],
    );

  test.each([
    ["password", "common"],
    ["PASSWORD1", "common"],
    ["qwertyuiop", "common"],
    ["1q2w3e4r", "common"],
    ["Iloveyou", "common"],
    ["postcard1", "common"],
    ["Postcard2026!", "common"],
    ["123postcard", "common"],
    ["aaaaaaaa", "repeated"],
    ["🔑".repeat(8), "repeated"],
    ["ab1ab1ab1", "repeated"],
    ["ada.byron@engine.example", "personal"],
    ["Ada.Byron1", "personal"],
    ["lovelace99", "personal"],
    ["Ada Lovelace", "personal"],
    ["Byron_1815!", "personal"],
  ] as const)("%s is refused", async (text, problem) => {
    expect(await problemOf(text)).toEqual([
      "input-invalid",
      { password: passwordProblems[problem] },
    ]);
  });

  test.each([
    "correct horse battery 9",
    "constructor",
    "__proto__",
    "postcards from Rome",
    "lovelace engine",
    "8412-9755-30",
  ])("%s is taken", async (text) => {
    expect(await problemOf(text)).toBeNull();
  });

  test("is not checked against a missing name", async () => {
    await refuseWeakPassword("8412975530", { email: "1@example.org", fullName: "" });
  });
});

describe("a password's length", () => {
  test.each([
    ["7", "a".repeat(7), false],
    ["8", "a".repeat(8), true],
    ["128", "a".repeat(128), true],
    ["129", "a".repeat(129), false],
    ["7 emoji", "🔑".repeat(7), false],
    ["128 emoji", "🔑".repeat(128), true],
    ["129 emoji", "🔑".repeat(129), false],
    ["4 letters with separate accents", "e\u0301".repeat(4), false],
    ["100,000", "a".repeat(100_000), false],
  ])("of %s", (_name, text, fine) => {
    expect(passwordLengthProblem(text) === null).toBe(fine);
  });
});
