import { expect, test } from "vitest";
import { openXChaCha20Poly1305 } from "#server/features/identity/two-factor/former-seal.ts";

/** draft-irtf-cfrg-xchacha-03, appendix A.3.1. */
const sealed =
  "404142434445464748494a4b4c4d4e4f5051525354555657" +
  "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb" +
  "731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452" +
  "2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9" +
  "21f9664c97637da9768812f615c68b13b52e" +
  "c0875924c1c7987947deafd8780acf49";
const key = Buffer.from(Array.from({ length: 32 }, (_, at) => 0x80 + at));
const authenticated = Buffer.from("50515253c0c1c2c3c4c5c6c7", "hex");

const open = (text: string) =>
  openXChaCha20Poly1305({ key, sealed: Buffer.from(text, "hex"), authenticated }).toString();

test("the draft's sealed text is opened", () => {
  expect(open(sealed)).toBe(
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, " +
      "sunscreen would be it.",
  );
});

test("changed nonces, texts or tags are not", () => {
  for (const at of [0, 40, 60, sealed.length - 1]) {
    const digit = sealed[at] === "0" ? "1" : "0";
    expect(() => open(sealed.slice(0, at) + digit + sealed.slice(at + 1))).toThrow();
  }
});
