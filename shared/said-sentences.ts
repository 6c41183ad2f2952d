/** A sentence, or one for each plural form of `{count}`. */
type Said = string | Readonly<Record<string, string>>;

/** By the sentence in English. */
export type SaidSentences = Readonly<Record<string, Said>>;

/** How a language says what stands in sentences. */
type Language = {
  /** the plural form of a number */
  form: (count: number) => string;
  count: (count: number) => string;
  /** midnight of the day in UTC, epoch milliseconds */
  day: (at: number) => string;
};

/** A sentence with values, cut at them: the texts around them, and their names. */
type Template = { texts: string[]; names: string[]; said: Said };

/** Values that are numbers, and nothing else. */
const numbers = new Set(["count", "more"]);
/** Values that are our own words, and said as well: "{what} was left out: {why}". Others are somebody's. */
const ours = new Set(["what", "which", "why", "when"]);
/** Sentences in sentences. */
const deepest = 3;
/** Ours are shorter, whatever stands in them. */
const longest = 2000;

/**
 * What says sentences by a table of them. A key may have values in it: `{count}` and `{more}` are numbers, `{day}` a
 * date; `{what}`, `{which}`, `{why}` and `{when}` are said by the same table. What is not in it stays as it is.
 */
export function sayingBy(table: SaidSentences, language: Language) {
  let templates: Template[] | undefined;

  function say(sentence: string, depth: number): string {
    const exact = Object.hasOwn(table, sentence) ? table[sentence] : undefined;
    if (typeof exact === "string") return exact;
    if (depth > deepest || sentence.length > longest) return sentence;
    templates ??= templatesOf(table);
    for (const { texts, names, said } of templates) {
      const values = valuesIn(sentence, texts);
      if (!values?.every((value, at) => mayBe(names[at], value))) continue;
      const own = values.map((value, at) => valueOf(names[at], value, depth));
      const count = numberIn(values[names.indexOf("count")]);
      const message = typeof said === "string" ? said : said[language.form(count)];
      const inPlace = (_: string, name: string) => own[names.indexOf(name)] ?? "";
      return (message ?? sentence).replace(/\{(\w+)\}/g, inPlace);
    }
    return sentence;
  }

  function valueOf(name = "", value: string, depth: number): string {
    if (numbers.has(name)) return language.count(numberIn(value));
    if (name === "day") return language.day(dayIn(value));
    return ours.has(name) ? say(value, depth + 1) : value;
  }

  return (sentence: string): string => say(sentence, 0);
}

/** Those that say most come first: "{what} was left out: {why}" before "{file}: {why}". */
function templatesOf(table: SaidSentences): Template[] {
  const length = ({ texts }: Template) => texts.join("").length;
  return Object.entries(table)
    .map(([key, said]) => {
      // text, name, text, …
      const parts = key.split(/\{(\w+)\}/);
      const [texts, names] = [0, 1].map((rest) => parts.filter((_, at) => at % 2 === rest));
      return { texts: texts ?? [], names: names ?? [], said };
    })
    .filter(({ names }) => names.length > 0)
    .toSorted((one, other) => length(other) - length(one));
}

/** What stands between the texts, which are all the rest; null where they are not. In linear time. */
function valuesIn(sentence: string, [first = "", ...texts]: readonly string[]): string[] | null {
  if (!sentence.startsWith(first) || !sentence.endsWith(texts.at(-1) ?? "")) return null;
  const values: string[] = [];
  let from = first.length;
  for (const [at, text] of texts.entries()) {
    const isLast = at === texts.length - 1;
    const to = isLast ? sentence.length - text.length : sentence.indexOf(text, from);
    if (to <= from) return null;
    values.push(sentence.slice(from, to));
    from = to + text.length;
  }
  return values;
}

function mayBe(name = "", value: string): boolean {
  if (numbers.has(name)) return /^\d[\d,]*$/.test(value);
  return name !== "day" || !Number.isNaN(dayIn(value));
}

const numberIn = (value = "") => Number(value.replaceAll(",", ""));
const dayIn = (value: string) => Date.parse(`${value} UTC`);
