const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The bytes of the key that an app receives, in base 32 (RFC 4648, section 6). */
function bytesOfKey(key: string): Uint8Array<ArrayBuffer> {
  const bits = [...key.replaceAll(" ", "")]
    .map((character) => alphabet.indexOf(character).toString(2).padStart(5, "0"))
    .join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (eight) => Number.parseInt(eight, 2));
}

/** The secret in a key, as the server made it. */
export function secretOfKey(key: string): string {
  return new TextDecoder().decode(bytesOfKey(key));
}

/**
 * The code an authenticator app shows for a key, `steps` of 30 seconds from `now` (epoch ms): RFC 6238 with
 * the browser's own cryptography, independent of the server's code.
 */
export async function appCode(key: string, steps = 0, now = Date.now()): Promise<string> {
  const hash = { name: "HMAC", hash: "SHA-1" };
  const mac = await crypto.subtle.importKey("raw", bytesOfKey(key), hash, false, ["sign"]);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(now / 30_000) + steps));
  const signed = new DataView(await crypto.subtle.sign("HMAC", mac, counter));
  const number = signed.getUint32(signed.getUint8(19) & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, "0");
}
