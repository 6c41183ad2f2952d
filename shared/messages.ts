/** One sentence, or one for each plural form of its language (Intl.PluralRules). */
export type Message = string | Record<string, string>;

export type Values = Record<string, string | number>;

/** A message with its values in the place of `{name}`. */
export function fill(message: string, values: Values): string {
  return message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** "Ana, Bob and 12 others", by a language's messages for a comma and for the last one. */
export function joinList(parts: readonly string[], comma: string, lastOfAll: string): string {
  const last = parts.length - 1;
  return parts.reduce((first, next, index) =>
    index === last ? fill(lastOfAll, { first, last: next }) : fill(comma, { first, next }),
  );
}

/** 1,234 with the separator of a language. */
export function grouped(count: number, thousands: string): string {
  // oxlint-disable-next-line regexp/no-super-linear-move -- a number has 16 digits
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, thousands);
}
