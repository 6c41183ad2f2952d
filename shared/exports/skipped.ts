import type { Refusal } from "#shared/errors.ts";

/** Why something was skipped: the sentence of its field, or the refusal's own. */
export function reasonOf({ fields = {}, message }: Refusal): string {
  return Object.values(fields)[0] ?? message;
}

/** The sentence about what was skipped. */
export function skippedMessage(what: string, why: string): string {
  return `${what} was left out: ${why.length > 200 ? `${why.slice(0, 200)}…` : why}`;
}
