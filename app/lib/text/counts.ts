import { tag, thousands } from "#messages/language.json";
import { grouped } from "#shared/messages.ts";

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

/** 1,234 with the separator of the language. Without Intl, whose formatters keep a phone busy while a page loads. */
export const wholeCount = (count: number): string => grouped(count, thousands);
