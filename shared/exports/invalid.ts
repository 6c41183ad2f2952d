import { refuse } from "#shared/errors.ts";

export const invalid = (message: string, cause?: unknown) =>
  refuse("archive-invalid", { message, cause });

/** A file name from a stranger, made safe for a sentence. */
export function shown(name: string): string {
  const plain = name.replace(/\p{Cc}|\p{Cf}/gu, "");
  return plain.length > 60 ? `${plain.slice(0, 60)}…` : plain;
}
