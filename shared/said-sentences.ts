/** A sentence, or one for each plural form of `{count}`. */
type Said = string | Record<string, string>;

/** By the sentence in English. */
export type SaidSentences = Readonly<Record<string, Said>>;

/** How a language says what stands in sentences. */
type Language = {
  /** of the plural forms that of a number */
  formOf: (forms: Record<string, string>, count: number) => string;
  count: (count: number) => string;
  /** midnight of the day in UTC, epoch milliseconds */
  day: (at: number) => string;
  /** a value that is not ours, such as a path */
  value?: (value: string) => string;
};

/** A sentence with values, cut at them: the texts around them, and their names. */
type Template = { texts: string[]; names: string[]; said: Said };

/** What values of these names look like: where one does not, it is another sentence. */
const forms: Readonly<Record<string, RegExp>> = {
  count: /^\d[\d,]*$/,
  more: /^\d[\d,]*$/,
  number: /^\d+$/,
  day: /^\p{L}+ \d{1,2}, \d+$/u,
  username: /^@?\w+$/,
};
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
    const found = earliest(sentence, templates);
    if (!found) return sentence;
    const { names, said, values } = found;
    const own = values.map((value, at) => valueOf(names[at], value, depth));
    const count = numberIn(values[names.indexOf("count")]);
    const message = typeof said === "string" ? said : language.formOf(said, count);
    const inPlace = (_: string, name: string) => own[names.indexOf(name)] ?? "";
    return message.replace(/\{(\w+)\}/g, inPlace);
  }

  function valueOf(name = "", value: string, depth: number): string {
    if (name === "count" || name === "more") return language.count(numberIn(value));
    if (name === "day") return language.day(Date.parse(`${value} UTC`));
    return ours.has(name) ? say(value, depth + 1) : (language.value?.(value) ?? value);
  }

  return (sentence: string): string => say(sentence, 0);
}

/** Where one sentence ends and another begins; a name goes on in lower case. */
const betweenSentences = /(?<=[.?]) (?!\p{Ll})/u;

/**
 * Says a text of several sentences one by one: each is the shortest that the table knows, for a value may end in a full
 * stop, too.
 */
export function sentenceBySentence(say: (sentence: string) => string) {
  return (text: string): string => {
    if (text.length > longest) return text;
    const parts = text.split(betweenSentences);
    const own: string[] = [];
    while (parts.length > 0) {
      const known = parts.findIndex((_, last) => {
        const sentence = parts.slice(0, last + 1).join(" ");
        return say(sentence) !== sentence;
      });
      const sentence = parts.splice(0, Math.max(0, known) + 1).join(" ");
      own.push(say(sentence));
    }
    return own.join(" ");
  };
}

/** Those that say most come first. */
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

/**
 * The template that a sentence is of, with its values. Of several it is the one whose texts begin first: in
 * "a.jpg: A title is too long" the colon is ours, and what follows is another sentence.
 */
function earliest(sentence: string, templates: readonly Template[]) {
  let best: (Template & { values: string[]; begins: number }) | null = null;
  for (const template of templates) {
    const { texts, names } = template;
    const values = valuesIn(sentence, texts);
    if (!values?.every((value, at) => forms[names[at] ?? ""]?.test(value) ?? true)) continue;
    const begins = texts[0] === "" ? (values[0]?.length ?? 0) : 0;
    if (!best || begins < best.begins) best = { ...template, values, begins };
  }
  return best;
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

const numberIn = (value = "") => Number(value.replaceAll(",", ""));
