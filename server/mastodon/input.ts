import { refuse } from "#shared/errors.ts";
import type { ReceivedUpload } from "#server/features/types.ts";

/** Without a value: an empty list that was sent. */
type Entry = readonly [name: string, value?: string];

/** More parameters than any call has; the rest are refused. */
const mostEntries = 500;
const deepest = 5;

/**
 * How long a parameter may be, by its name or the last name in its brackets, UTF-16 code units. More than
 * features and database accept of each (in bytes, of which a text has no fewer than units), so that they can
 * say by how much a text is too long; and little enough that reading it blocks nobody.
 */
const longest: Readonly<Record<string, number>> = {
  status: 100_000,
  note: 32_000,
  description: 32_000,
  comment: 32_000,
};
/** For all others: ten redirect addresses are the longest. */
const usualLength = 6000;
const longestName = 200;

/**
 * The parameters of a call, wherever they are: in the query, JSON, a form or multipart. Names are those of
 * forms (`media_ids[]`, `source[privacy]`), with or without the brackets at the end. Refuses with
 * input-invalid what is longer than a parameter of its name may be.
 */
export type Input = ReturnType<typeof createInput>;

export function createInput(entries: readonly Entry[], files: Record<string, ReceivedUpload> = {}) {
  if (entries.length > mostEntries) throw refuse("too-large");
  const values = new Map<string, string[]>();
  for (const [name, value] of entries) {
    refuseTooLong(name, value);
    const plain = name.replace(/\[\]$/, "");
    values.set(plain, [...(values.get(plain) ?? []), ...(value === undefined ? [] : [value])]);
  }
  const text = (name: string): string | undefined => values.get(name)?.at(-1);

  return {
    /** the last value given; one with a NUL, which no text of ours can hold, counts as missing */
    text: (name: string) => text(name)?.replaceAll("\0", ""),
    list: (name: string): string[] => values.get(name) ?? [],
    /** as Mastodon reads them: everything but these is true */
    flag: (name: string): boolean | undefined => {
      const value = text(name);
      return value === undefined ? undefined : !/^(0|f|false|off|no|)$/i.test(value);
    },
    /** a whole number between 1 and `most`; `usual` if it is missing or invalid */
    count: (name: string, usual: number, most: number): number => {
      const number = Number(text(name) ?? usual);
      return Number.isInteger(number) && number >= 1 ? Math.min(number, most) : usual;
    },
    has: (name: string): boolean => values.has(name),
    /** what is in brackets after a name: `fields_attributes[0][name]` → `0][name` */
    under: (name: string): [string, string][] =>
      [...values].flatMap(([key, all]) => {
        const [, rest] = key.startsWith(`${name}[`) ? [null, key.slice(name.length + 1)] : [];
        const last = all.at(-1);
        return rest === undefined || last === undefined ? [] : [[rest.replace(/\]$/, ""), last]];
      }),
    /**
     * Items with several fields: `media_attributes[][id]`, or with a number in the first brackets. Without a
     * number, the next item begins where a field comes again.
     */
    records: (name: string): Record<string, string>[] => {
      const records = new Map<string, Record<string, string>>();
      let unnumbered = 0;
      for (const [key, value] of entries) {
        const [, at, field] = key.startsWith(name)
          ? (/^\[(\w*)\]\[(\w+)\]$/.exec(key.slice(name.length)) ?? [])
          : [];
        if (at === undefined || field === undefined || value === undefined) continue;
        if (at === "" && field in (records.get(`#${unnumbered}`) ?? {})) unnumbered += 1;
        const index = at === "" ? `#${unnumbered}` : at;
        records.set(index, { ...records.get(index), [field]: value });
      }
      return [...records.values()];
    },
    file: (name: string): ReceivedUpload | undefined => files[name],
    hasFile: (name: string): boolean => Object.hasOwn(files, name),
  };
}

/** Checks lengths before anything reads the parameters. Refuses with input-invalid. */
function refuseTooLong(name: string, value = ""): void {
  if (name.length > longestName) {
    throw refuse("input-invalid", { message: "The name of a parameter is too long." });
  }
  const field = name.split(/[[\]]+/).findLast((part) => part !== "" && !/^\d+$/.test(part)) ?? "";
  const most = Object.hasOwn(longest, field) ? (longest[field] ?? usualLength) : usualLength;
  if (value.length <= most) return;
  const [may, has] = [most, value.length].map((count) => count.toLocaleString("en"));
  throw refuse("input-invalid", {
    message: `${name} can have ${may} characters; this has ${has}.`,
  });
}

/** A JSON body as the entries of a form. Null counts as missing; an empty list does not. */
export function entriesOf(value: unknown): Entry[] {
  const entries: Entry[] = [];
  const walk = (name: string, part: unknown, depth: number): void => {
    if (part === null || part === undefined) return;
    if (depth > deepest || entries.length > mostEntries) throw refuse("json-too-complex");
    if (Array.isArray(part)) {
      if (part.length === 0) entries.push([`${name}[]`]);
      part.forEach((item, at) =>
        walk(typeof item === "object" && item ? `${name}[${at}]` : `${name}[]`, item, depth + 1),
      );
    } else if (typeof part === "object") {
      for (const [key, item] of Object.entries(part)) {
        walk(name === "" ? key : `${name}[${key}]`, item, depth + 1);
      }
    } else if (name !== "") entries.push([name, String(part)]);
  };
  walk("", value, 0);
  return entries;
}

/** The query of an address, in its order. */
export function queryEntries(url: string): Entry[] {
  const at = url.indexOf("?");
  return at === -1 ? [] : [...new URLSearchParams(url.slice(at + 1))];
}
