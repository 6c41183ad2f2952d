import { expect, test } from "vitest";
import { emailInput } from "#shared/verification.inputs.ts";
import { emailProblem, invalidEmail } from "#shared/verification.ts";

test.each([
  "ada@example.org",
  " Ada.Lovelace+post@mail.example.org ",
  "o'neil@example.org",
  "a@b.co",
  "ada@example",
  "ada@@example.org",
  ".ada@example.org",
  "ada..l@example.org",
  "ada@-example.org",
  "ada @example.org",
  "ada@example.org\nBcc: all@example.org",
  "ada@exa_mple.org",
  "@example.org",
  "ada@example.org,bob@example.org",
  `${"a".repeat(245)}@b.example`,
  "עדה@example.org",
])("the browser and the server agree about %j", (text) => {
  const { success, error } = emailInput.safeParse({ email: text });
  expect(emailProblem(text)).toBe(success ? null : invalidEmail);
  if (!success) expect(error.issues[0]?.message).toBe(invalidEmail);
});
