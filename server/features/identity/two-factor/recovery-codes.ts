import { createHmac, randomInt } from "node:crypto";

/** How many there are at once. */
const recoveryCodeCount = 10;

/**
 * Crockford's base 32 (crockford.com/base32.html): no letter that looks like a digit, 5 bits each.
 */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const length = 10;

/** Ten codes as people write them: `7K2QM-4XW9T`, 50 bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
    return `${letters.slice(0, 5)}-${letters.slice(5)}`;
  });
}

/** A typed code without what does not count; null when it cannot be one. */
function readRecoveryCode(typed: string): string | null {
  const code = typed
    .replace(/[\s-]/g, "")
    .toUpperCase()
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
  return code.length === length && [...code].every((letter) => alphabet.includes(letter))
    ? code
    : null;
}

/**
 * What is stored of a code. The key stays outside the database, so a reader of it cannot try out 50
 * bits.
 */
export function hashRecoveryCode(
  secret: string,
  { accountId, typed }: { accountId: string; typed: string },
): string | null {
  const code = readRecoveryCode(typed);
  if (code === null) return null;
  return createHmac("sha256", secret).update(`recovery:${accountId}:${code}`).digest("base64url");
}
