import {
  CompiledQuery,
  sql as kyselySql,
  type QueryExecutorProvider,
  type RawBuilder,
} from "kysely";

/**
 * kysely's `sql`, for statements that are written once and sent a million times. Kysely makes frozen nodes of every
 * piece and walks them for each statement; here a piece stays as it was written, and a statement of the same pieces
 * as the last time has the text of the last time. What comes out is what kysely makes of the same (`sql.test.ts`),
 * and a piece may stand in kysely's builders: decision 0223.
 */
export function sql<T = unknown>(
  strings: readonly string[],
  ...parts: readonly unknown[]
): RawBuilder<T> {
  return new Piece(strings, parts) as unknown as RawBuilder<T>;
}

/** Text that our own code wrote, as it stands. */
sql.raw = <T = unknown>(text: string): RawBuilder<T> => sql<T>(only(text));
/** A column, with its table or without: `sql.ref("p.author_id")`. */
sql.ref = <T = unknown>(name: string): RawBuilder<T> => sql.raw<T>(quoted(name));
sql.table = (name: string): RawBuilder<unknown> => sql.ref(name);
/** A value that stands in the text, for which a statement is planned. */
sql.lit = <T extends string | number | boolean>(value: T): RawBuilder<T> =>
  sql.raw<T>(typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value));
sql.join = (parts: readonly unknown[], separator = sql`, `): RawBuilder<unknown> => {
  const joined = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
  return sql(blanks(joined.length + 1), ...joined);
};

/** What a statement was put together from, and its text. */
type Made = { pieces: readonly (readonly string[])[]; text: string };
/** By the outermost piece: a statement for visitors has others in it than the same for members. */
const made = new WeakMap<readonly string[], Made[]>();
const mostVariants = 32;

class Piece {
  /** one more than parts: what stands before, between and after them */
  readonly strings: readonly string[];
  readonly parts: readonly unknown[];

  constructor(strings: readonly string[], parts: readonly unknown[]) {
    this.strings = strings;
    this.parts = parts;
  }

  compile(provider: QueryExecutorProvider): CompiledQuery {
    const pieces: (readonly string[])[] = [];
    const values: unknown[] = [];
    if (!gather(this, pieces, values)) return this.#inKysely().compile(provider);
    const variants = made.get(this.strings) ?? [];
    const known = variants.find((variant) => isSame(variant.pieces, pieces));
    if (known) return CompiledQuery.raw(known.text, values);
    const text = write(this, { values: 0 });
    made.set(this.strings, [{ pieces, text }, ...variants].slice(0, mostVariants));
    return CompiledQuery.raw(text, values);
  }

  execute(provider: QueryExecutorProvider): Promise<unknown> {
    return provider.getExecutor().executeQuery(this.compile(provider));
  }

  toOperationNode() {
    return this.#inKysely().toOperationNode();
  }

  /** by this kysely knows what may stand in its builders */
  get expressionType() {
    return undefined;
  }

  as(alias: string) {
    return this.#inKysely().as(alias);
  }

  #inKysely(): RawBuilder<unknown> {
    return kyselySql(this.strings as unknown as TemplateStringsArray, ...this.parts);
  }
}

/** All pieces of one and its values, in the order of its text. False where a builder of kysely's stands in it. */
function gather(piece: Piece, pieces: (readonly string[])[], values: unknown[]): boolean {
  pieces.push(piece.strings);
  for (const part of piece.parts) {
    if (part instanceof Piece) {
      if (!gather(part, pieces, values)) return false;
    } else if (isKyselys(part)) return false;
    else values.push(part);
  }
  return true;
}

function isKyselys(part: unknown): boolean {
  if (typeof part === "function") return true;
  return typeof part === "object" && part !== null && "toOperationNode" in part;
}

/** The same place in our code has the same strings each time it is run (ECMAScript, GetTemplateObject). */
function isSame(some: Made["pieces"], others: Made["pieces"]): boolean {
  return some.length === others.length && some.every((strings, index) => strings === others[index]);
}

function write({ strings, parts }: Piece, count: { values: number }): string {
  let text = strings[0] ?? "";
  for (const [index, part] of parts.entries()) {
    if (part instanceof Piece) text += write(part, count);
    else text += `$${(count.values += 1)}`;
    text += strings[index + 1] ?? "";
  }
  return text;
}

const quoted = (name: string) =>
  name
    .split(".")
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join(".");

/** Names and numbers of our code are few; more than this are not kept, whatever they were made of. */
const mostKept = 5000;
const kept = new Map<string | number, readonly string[]>();

function keep(key: string | number, make: () => readonly string[]): readonly string[] {
  const known = kept.get(key);
  if (known) return known;
  const strings = make();
  if (kept.size < mostKept) kept.set(key, strings);
  return strings;
}

const only = (text: string) => keep(text, () => [text]);
const blanks = (count: number) => keep(count, () => Array<string>(count).fill(""));
