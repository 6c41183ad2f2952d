const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const accented = "áƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ";

/** German and Finnish are about that much longer than English. */
const longer = 0.35;

/**
 * An English message as the pseudo-language has it: readable, in brackets that show where it is cut off, and longer.
 * Values and marks stay: `{name}`, `<link>…</link>`.
 */
export function pseudo(message: string): string {
  const letters = message
    .split(/(\{\w+\}|<\/?\w+>)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[a-z]/gi, accent)))
    .join("");
  return `[${letters}${"~".repeat(Math.ceil(message.length * longer))}]`;
}

const accent = (letter: string) => accented[plain.indexOf(letter)] ?? letter;
