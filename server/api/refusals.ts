import { z } from "zod";
import { refuse, statusOf, type RefusalCode } from "#shared/errors.ts";

const schemas = new Map<string, z.ZodType>();

/**
 * The answers of refused calls: one schema for each status, shared by the calls that refuse in the same way.
 */
export function refusalSchemas(codes: readonly RefusalCode[]): Record<number, z.ZodType> {
  const byStatus = Map.groupBy(new Set(codes), statusOf);
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [status, schemaOf(status, same)]),
  );
}

function schemaOf(status: number, unsorted: RefusalCode[]): z.ZodType {
  const codes = unsorted.toSorted();
  const id = `Refusal.${status}.${codes.join(".")}`;
  const existing = schemas.get(id);
  if (existing) return existing;
  const description = codes.map((code) => `\`${code}\`: ${refuse(code).message}`).join("\n\n");
  const schema = z
    .object({
      error: z.object({
        code: z.enum(codes),
        message: z.string().describe("A sentence for people."),
        fields: z
          .record(z.string(), z.string())
          .optional()
          .describe("What is wrong, by the name of the field."),
        requestId: z.string().describe("Stands in the server's log, and in `X-Request-Id`."),
      }),
    })
    .meta({ id, description });
  schemas.set(id, schema);
  return schema;
}
