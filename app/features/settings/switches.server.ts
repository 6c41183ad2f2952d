/** The switches a form names in `switches`: without scripts it cannot send one that is off. */
export function switchesOf<Name extends string>(
  fields: Record<string, string | undefined>,
  names: readonly Name[],
): Partial<Record<Name, boolean>> {
  const listed = (fields["switches"] ?? "").split(" ");
  const named = names.filter((name) => fields[name] !== undefined || listed.includes(name));
  return Object.fromEntries(named.map((name) => [name, fields[name] === "on"])) as Partial<
    Record<Name, boolean>
  >;
}
