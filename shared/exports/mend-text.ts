/**
 * Mends a text whose UTF-8 bytes were each written as a character (read as Latin-1), as in the exports of
 * Instagram: "CafÃ©" is "Café". Whatever cannot have come about in this way is right already, and stays.
 */
export function mendText(text: string): string {
  let broken = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 0xff) return text;
    broken ||= unit > 0x7f;
  }
  if (!broken) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(text, (character) => character.charCodeAt(0)),
    );
  } catch {
    return text;
  }
}
