import { Fragment, type ReactNode } from "react";
import { tag } from "#messages/language.json";

type Values = Record<string, string | number>;

/** A message with its values in the place of `{name}`. */
export function fill(message: string, values: Values): string {
  return message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** The sentence for a number, by the plural forms of the language; `{count}` is the number. */
export function counted(forms: Record<string, string>, count: number): string {
  const form = new Intl.PluralRules(tag).select(count);
  return fill(forms[form] ?? forms["other"] ?? "", { count: count.toLocaleString(tag) });
}

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
