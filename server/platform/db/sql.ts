import pg from "pg";

/**
 * Statements, and pieces that several of them share. A piece stays as it was written: compiling a statement
 * walks its pieces and collects their values; if the pieces are the same as the last time, the text is
 * reused (docs/decisions/0223). A value is never part of the text; a piece within a piece is.
 */
export function sql(strings: readonly string[], ...parts: readonly unknown[]): Sql {
  return new Sql(strings, parts);
}

/** A statement that each connection prepares once, under its name: for what requests send all day. */
sql.named =
  (name: string) =>
  (strings: readonly string[], ...parts: readonly unknown[]): Sql =>
    new Sql(strings, parts, name);

/** A statement, or a piece of one: what `sql` makes. */
export class Sql {
  /** one more than parts: the text before, between and after them */
  readonly strings: readonly string[];
  readonly parts: readonly unknown[];
  readonly name: string | undefined;

  constructor(strings: readonly string[], parts: readonly unknown[], name?: string) {
    this.strings = strings;
    this.parts = parts;
    this.name = name;
  }
}

/** Text written by our own code, unchanged. */
sql.raw = (text: string): Sql => sql(only(text));
/** A column, with or without its table: `sql.ref("p.author_id")`. */
sql.ref = (name: string): Sql => sql(cache(`ref ${name}`, () => [quoted(name)]));
sql.table = (name: string): Sql => sql.ref(name);
/** A value written into the text, so that the statement is planned for it. */
sql.lit = (value: string | number | boolean): Sql =>
  sql.raw(typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value));
sql.join = (parts: readonly unknown[], separator = sql`, `): Sql => {
  const joined = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
  return sql(blanks(joined.length + 1), ...joined);
};

/** For `insert into posts ${sql.row(post)}`: its columns, by their names in our code, and their values. */
sql.row = (row: object): Sql => {
  const columns = definedIn(row);
  const names = sql.join(columns.map(([name]) => sql.ref(name)));
  return sql`(${names}) values (${sql.join(columns.map(([, value]) => value))})`;
};

/** For `update posts set ${sql.set(changes)}`: the same for changes. */
sql.set = (changes: object): Sql =>
  sql.join(definedIn(changes).map(([name, value]) => sql`${sql.ref(name)} = ${value}`));

const definedIn = (columns: object): [string, unknown][] =>
  Object.entries(columns).filter(([, value]) => value !== undefined);

/** A statement as PostgreSQL takes it. */
export type Statement = { text: string; values: unknown[] };

/** The pieces of a statement, and its text. */
type Made = { pieces: readonly (readonly string[])[]; text: string };
/** By the outermost piece: a statement for visitors contains other pieces than the same one for members. */
const made = new WeakMap<readonly string[], Made[]>();
const mostVariants = 32;

export function compile(statement: Sql): Statement {
  const pieces: (readonly string[])[] = [];
  const values: unknown[] = [];
  gather(statement, pieces, values);
  const variants = made.get(statement.strings) ?? [];
  const known = variants.find((variant) => isSame(variant.pieces, pieces));
  if (known) return { text: known.text, values };
  const text = write(statement, { values: 0 });
  made.set(statement.strings, [{ pieces, text }, ...variants].slice(0, mostVariants));
  return { text, values };
}

/** Marks a value among the pieces: the text also depends on which of two parts is the piece. */
const aValue: readonly string[] = [];

/** Collects all pieces of one and its values, in the order of its text. */
function gather(piece: Sql, pieces: (readonly string[])[], values: unknown[]): void {
  pieces.push(piece.strings);
  for (const part of piece.parts) {
    if (part instanceof Sql) gather(part, pieces, values);
    else {
      pieces.push(aValue);
      values.push(part);
    }
  }
}

/** A template in our code has the same strings each time it is evaluated (ECMAScript, GetTemplateObject). */
function isSame(some: Made["pieces"], others: Made["pieces"]): boolean {
  return some.length === others.length && some.every((strings, index) => strings === others[index]);
}

function write({ strings, parts }: Sql, count: { values: number }): string {
  let text = strings[0] ?? "";
  for (const [index, part] of parts.entries()) {
    if (part instanceof Sql) text += write(part, count);
    else text += `$${(count.values += 1)}`;
    text += strings[index + 1] ?? "";
  }
  return text;
}

/** A name, with its schema or table if it has one, as an identifier. */
export const quoted = (name: string): string =>
  name
    .split(".")
    .map((part) => pg.escapeIdentifier(part))
    .join(".");

/** Our code has few names and numbers; beyond this many none is cached, wherever they come from. */
const maxCached = 5000;
const cached = new Map<string | number, readonly string[]>();

function cache(key: string | number, make: () => readonly string[]): readonly string[] {
  const known = cached.get(key);
  if (known) return known;
  const strings = make();
  if (cached.size < maxCached) cached.set(key, strings);
  return strings;
}

const only = (text: string) => cache(text, () => [text]);
const blanks = (count: number) => cache(count, () => Array<string>(count).fill(""));
