import { graphemes } from "#shared/graphemes.ts";
import { limits } from "#shared/limits.ts";
import { cleanName, isBlank, lengthProblem } from "#shared/text.ts";

/** What a member says about themselves beside the bio, such as "Pronouns" and "she/her"; either may be empty. */
export type ExtraField = { name: string; value: string };

/** The same on a profile: since when its address is known to lead back, epoch milliseconds, or null. */
export type ShownExtraField = ExtraField & { verifiedAt: number | null };

const places = [1, 2, 3, 4] as const;

/** The texts of a form or a call: a name and a value for each place. */
export type ExtraFieldInput = `field${"Name" | "Value"}${(typeof places)[number]}`;

export const extraFieldPlaces = places.map((place) => ({
  name: `fieldName${place}` as const,
  value: `fieldValue${place}` as const,
}));

export const extraFieldInputs: ExtraFieldInput[] = extraFieldPlaces.flatMap(({ name, value }) => [
  name,
  value,
]);

/** One line, without what cannot be seen. */
const cleanExtra = (typed: string): string => (isBlank(typed) ? "" : cleanName(typed));

/** The error for a name or a value that cannot be saved, null for a valid one. */
export const extraProblem = (typed: string): string | null =>
  lengthProblem("A field", cleanExtra(typed), limits.extraField);

/** As much of it as can be saved. */
export function cutExtra(typed: string): string {
  const text = cleanExtra(typed);
  if (extraProblem(text) === null) return text;
  const { graphemes: most, bytes } = limits.extraField;
  let [end, count, room] = [0, 0, bytes];
  for (const { segment } of graphemes(text)) {
    room -= new TextEncoder().encode(segment).length;
    count += 1;
    if (count > most || room < 0) break;
    end += segment.length;
  }
  return cleanExtra(text.slice(0, end));
}

/** The texts of a form, by their names: empty ones where there are fewer fields. */
export function extraInputsOf(fields: readonly ExtraField[]): Record<ExtraFieldInput, string> {
  return Object.assign(
    {},
    ...extraFieldPlaces.map(({ name, value }, at) => ({
      [name]: fields[at]?.name ?? "",
      [value]: fields[at]?.value ?? "",
    })),
  ) as Record<ExtraFieldInput, string>;
}

/** The fields that these texts are; undefined if none of them is given, which changes nothing. */
export function extraFieldsIn(
  typed: Partial<Record<ExtraFieldInput, string | undefined>>,
): ExtraField[] | undefined {
  if (extraFieldInputs.every((input) => typed[input] === undefined)) return undefined;
  return extraFieldPlaces
    .map(({ name, value }) => ({
      name: cleanExtra(typed[name] ?? ""),
      value: cleanExtra(typed[value] ?? ""),
    }))
    .filter(({ name, value }) => name !== "" || value !== "");
}
