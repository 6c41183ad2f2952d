import type { z } from "zod";
import { refuse, type FieldErrors } from "#shared/errors.ts";

/** Reads what came from outside by its schema; refuses with the sentence of every wrong field. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields: FieldErrors = {};
  for (const { path, message } of parsed.error.issues)
    fields[String(path[0] ?? "form")] ??= message;
  throw refuse("input-invalid", { message: parsed.error.issues[0]?.message, fields });
}
