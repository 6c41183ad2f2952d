import { expect, test } from "vitest";
import {
  forgotPasswordText,
  mailSentText,
} from "#app/features/identity/verification/mail-texts.ts";

test("a server that sends no mail promises none, before and after the request", () => {
  const { text, button } = forgotPasswordText(false);
  for (const words of [text, mailSentText(false)]) {
    expect(words).toContain("doesn't send email");
    expect(words).toContain("sk the person who runs it");
  }
  expect(button).not.toContain("Send");
  expect(forgotPasswordText(true).text).toContain("email you a link");
  expect(forgotPasswordText(true).button).toBe("Send email");
});
