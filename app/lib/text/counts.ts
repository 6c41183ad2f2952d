import { tag, thousands } from "#messages/language.json";

let short: Intl.NumberFormat | undefined;

/** 9,999 as it is, more in short: 12.3K. */
export function compactCount(count: number): string {
  if (count < 10_000) return wholeCount(count);
  short ??= new Intl.NumberFormat(tag, {
    notation: "compact",
    maximumFractionDigits: 1,
    numberingSystem: "latn",
  });
  return short.format(count);
}

/** "1 like", "12 likes": English, where a text is no message yet. */
export function formatCount(count: number, thing: string): string {
  return `${wholeCount(count)} ${thing}${count === 1 ? "" : "s"}`;
}

/** 1,234 with the separator of the language. Without Intl, whose formatters keep a phone busy while a page loads. */
export function wholeCount(count: number): string {
  // oxlint-disable-next-line regexp/no-super-linear-move -- a number has 16 digits
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, thousands);
}
