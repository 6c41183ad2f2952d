import { expect, test } from "vitest";
import { forgotPassword, onItsWay } from "#app/features/identity/verification/words.ts";

test("a server that sends no mail promises none, before and after one asks", () => {
  const { text, button } = forgotPassword(false);
  for (const words of [text, onItsWay(false)]) {
    expect(words).toContain("doesn't send email");
    expect(words).toContain("sk whoever runs it to give you the link");
  }
  expect(button).not.toContain("Send");
  expect(forgotPassword(true).text).toContain("email you a link");
  expect(forgotPassword(true).button).toBe("Send email");
});
