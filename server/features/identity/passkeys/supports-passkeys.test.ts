import { expect, test } from "vitest";
import { supportsPasskeys } from "#server/features/identity/passkeys/supports-passkeys.ts";

test.each([
  ["http://localhost:3000", "http://localhost:3000", true],
  ["http://localhost:3000", "http://127.0.0.1:3000", false],
  ["http://localhost:3000", "http://[::1]:3000", false],
  ["http://localhost:3000", "http://192.168.1.20:3000", false],
  ["http://localhost:3000", "http://cellar.lan:3000", false],
  ["http://localhost:3000", "", false],
  ["https://photos.example.org", "https://photos.example.org", true],
  // Requested by a proxy in front.
  ["https://photos.example.org", "https://127.0.0.1:3000", true],
  ["https://192.0.2.7", "https://192.0.2.7", false],
  ["https://[2001:db8::7]", "https://[2001:db8::7]", false],
  ["http://photos.example.org", "http://photos.example.org", false],
])("of %s, opened at %s, passkeys work: %s", (publicUrl, asked, work) => {
  expect(supportsPasskeys(publicUrl, asked)).toBe(work);
});
