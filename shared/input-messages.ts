import type { z } from "zod";

type Issue = z.core.$ZodRawIssue;

const types: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};
const formats: Record<string, string> = {
  uuid: "an id",
  email: "an email address",
  url: "a web address",
  datetime: "a date with a time",
  date: "a date",
};
const counted: Record<string, string> = { string: "characters", array: "entries", set: "entries" };

/**
 * What is wrong with what was sent, where its schema has no sentence of its own for that: names the
 * field, and nothing of the validator's.
 */
export function describeIssue(issue: Issue): string {
  const path = (issue.path ?? []).map(String).join(".");
  const field = path === "" ? "What was sent" : `"${path}"`;
  if (issue.input === undefined && issue.code !== "unrecognized_keys")
    return `${field} is missing.`;
  switch (issue.code) {
    case "invalid_type":
      return `${field} must be ${types[issue.expected] ?? "something else"}.`;
    case "invalid_value":
      return issue.values.length === 1
        ? `${field} must be ${String(issue.values[0])}.`
        : `${field} must be one of ${issue.values.map(String).join(", ")}.`;
    case "invalid_format":
      return `${field} must be ${formats[issue.format] ?? "written differently"}.`;
    case "too_small":
      return `${field} must ${bounded(issue.origin, "at least", issue.minimum)}.`;
    case "too_big":
      return `${field} must ${bounded(issue.origin, "at most", issue.maximum)}.`;
    case "not_multiple_of":
      return `${field} must be a multiple of ${issue.divisor}.`;
    case "unrecognized_keys":
      return `Nothing is called ${issue.keys.map((key) => `"${key}"`).join(", ")} here.`;
    default:
      return `${field} isn't right.`;
  }
}

function bounded(origin: string, how: string, bound: number | bigint): string {
  const unit = counted[origin];
  return unit ? `have ${how} ${bound} ${unit}` : `be ${how} ${bound}`;
}
