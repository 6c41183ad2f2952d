import { Fragment, type ReactNode } from "react";
import { tag } from "#messages/language.json";
import { listComma, listLast } from "#messages/text.json";
import { fill, joinList, type Values } from "#shared/messages.ts";
import { wholeCount } from "#app/lib/text/counts.ts";

export { fill };

let rules: Intl.PluralRules | undefined;

/** The sentence for a number, by the plural forms of the language; for `rich`, else `counted`. */
export function formOf(forms: Record<string, string>, count: number): string {
  // Where the rule is this one it needs no Intl, which keeps a phone busy while a page loads.
  if (tag === "en" || tag === "de") return forms[count === 1 ? "one" : "other"] ?? "";
  rules ??= new Intl.PluralRules(tag);
  return forms[rules.select(count)] ?? forms["other"] ?? "";
}

/** The sentence for a number with the number in the place of `{count}`, and other values in theirs. */
export function counted(forms: Record<string, string>, count: number, values?: Values): string {
  return fill(formOf(forms, count), { ...values, count: wholeCount(count) });
}

/** "Ana, Bob and 12 others" */
export const listed = (parts: readonly string[]): string => joinList(parts, listComma, listLast);

type Parts = Record<string, ReactNode | ((text: string) => ReactNode)>;

/**
 * A whole sentence with elements in it: `{name}` is replaced by what is given for it, and `<rules>…</rules>` is made by
 * the given function of the words between.
 */
export function rich(message: string, parts: Parts): ReactNode {
  // text, then for each part: the name of a pair, the words in it, the name of a value, text
  const pieces = message.split(/<(\w+)>([^<]*)<\/\w+>|\{(\w+)\}/);
  return pieces.map((piece, index) => {
    if (index % 2 === 0) return index % 4 === 0 ? piece : null;
    const part = parts[piece];
    const made = typeof part === "function" ? part(pieces[index + 1] ?? "") : part;
    // The pieces of one sentence never change places.
    // oxlint-disable-next-line react/no-array-index-key
    return <Fragment key={index}>{made}</Fragment>;
  });
}

/** "Ana, Bob": one after the other. */
export const commaList = ([first = "", ...others]: readonly string[]): string =>
  others.reduce((before, next) => fill(listComma, { first: before, next }), first);
