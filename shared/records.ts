/** The names of a table of declarations, as its type has them. */
export function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(table) as Name[];
}

/** A value for each of these names. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}

/** Those of these names that `from` has a value for. */
export function pick<Name extends string, From extends { [Key in Name]?: unknown }>(
  from: From,
  names: readonly Name[],
): Pick<From, Name> {
  return Object.fromEntries(
    names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  ) as Pick<From, Name>;
}
