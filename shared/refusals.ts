/* What a refusal is, for what every page loads; the sentences are in errors.ts and early-refusals.ts. */

/** Field name → sentence, for forms. */
export type FieldErrors = Record<string, string>;

export type RefusalOf<Code extends string> = Error & {
  name: "Refusal";
  code: Code;
  status: number;
  fields?: FieldErrors;
  /** seconds until another try makes sense */
  retryAfter?: number;
};

export type RefusalDetails = {
  message?: string;
  fields?: FieldErrors;
  retryAfter?: number;
  cause?: unknown;
};

export function makeRefusal<Code extends string>(
  code: Code,
  [status, message]: readonly [status: number, message: string],
  { message: own, cause, ...rest }: RefusalDetails = {},
): RefusalOf<Code> {
  return Object.assign(new Error(own ?? message, { cause }), {
    name: "Refusal" as const,
    code,
    status,
    ...rest,
  });
}

export function isRefusalError(error: unknown): error is RefusalOf<string> {
  return error instanceof Error && error.name === "Refusal" && "code" in error;
}
