/**
 * A unique key. `crypto.randomUUID` exists on https and on localhost only, and Postcard is used over plain
 * http at home.
 */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
