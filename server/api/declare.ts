import { z } from "zod";
import type { CallSchema } from "#server/api/declared-calls.ts";
import type { RefusalCode } from "#shared/errors.ts";

/** An answer that isn't JSON, by its media type. */
type OtherAnswer = { description: string; content: Record<string, { schema: z.ZodType }> };
type DeclaredSchema = Omit<CallSchema, "response"> & {
  response: Record<number, z.ZodType | OtherAnswer>;
};

/** The answer of a call that returns nothing. */
export const noContent = { 204: z.undefined().describe("done") };

/**
 * Declares the calls of one chapter of the document: who may make each, its refusals beyond those of every
 * call, what it takes and what it answers.
 */
export function chapter<const Name extends string>(name: Name) {
  const tags = [name] as const;
  return {
    forAnybody: <const Schema extends DeclaredSchema>(
      refusals: readonly RefusalCode[],
      schema: Schema,
    ) => ({ config: { access: "anybody" as const, refusals }, schema: { tags, ...schema } }),
    forMembers: <const Schema extends DeclaredSchema>(
      refusals: readonly RefusalCode[],
      schema: Schema,
    ) => ({ config: { access: "member" as const, refusals }, schema: { tags, ...schema } }),
  };
}
