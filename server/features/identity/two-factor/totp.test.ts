import { describe, expect, test } from "vitest";
import { newTotpSecret, stepOfCode, totpUri } from "#server/features/identity/two-factor/totp.ts";

/** RFC 6238, appendix B: the SHA-1 rows, of which six digits are the last six. */
const secret = "12345678901234567890";
const vectors: [seconds: number, code: string][] = [
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
];

describe("codes of an authenticator app", () => {
  test.each(vectors)("at %i s are those of RFC 6238: %s", (seconds, code) => {
    expect(stepOfCode(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  test("are accepted one step before and after their own, and no further", () => {
    const [seconds, code] = vectors[1] as [number, string];
    const step = Math.floor(seconds / 30);
    const middle = (step * 30 + 15) * 1000;
    for (const [away, found] of [
      [-2, null],
      [-1, step],
      [0, step],
      [1, step],
      [2, null],
    ] as const) {
      expect(stepOfCode(secret, code, middle + away * 30_000), `${away}`).toBe(found);
    }
  });

  test("are six digits and nothing else", () => {
    for (const wrong of ["", "28708", "0287082", "2870820", "28708２", "abcdef"]) {
      expect(stepOfCode(secret, wrong, 59_000)).toBeNull();
    }
  });

  test("come from secrets of 160 bits, which an app reads from an address", async () => {
    const made = new Set(Array.from({ length: 50 }, newTotpSecret));
    expect(made.size).toBe(50);
    const uri = new URL(totpUri(secret, "ada+photos@example.org"));
    expect(uri.href).toMatch(/^otpauth:\/\/totp\/Postcard:ada%2Bphotos%40example\.org\?/);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
      issuer: "Postcard",
      digits: "6",
      period: "30",
    });
  });
});
