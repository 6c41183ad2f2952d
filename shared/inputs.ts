import type { z } from "zod";
import { refuse, type FieldErrors } from "#shared/errors.ts";
import { describeIssue } from "#shared/input-messages.ts";

/**
 * The input as `schema` parses it. Otherwise throws refuse("input-invalid") with a sentence for each
 * invalid field.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const fields: FieldErrors = {};
  for (const { path, message } of parsed.error.issues) {
    const name = String(path[0] ?? "form");
    fields[name] ??= message;
  }
  throw refuse("input-invalid", { fields });
}
