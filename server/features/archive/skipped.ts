import type { Refusal } from "#shared/errors.ts";

/** Why something cannot be taken: the sentence of its field, or the refusal's own. */
export function reasonOf({ fields = {}, message }: Refusal): string {
  return Object.values(fields)[0] ?? message;
}

/** The sentence about what was left out. */
export function skippedMessage(what: string, why: string): string {
  return `${what} was left out: ${why.length > 200 ? `${why.slice(0, 200)}…` : why}`;
}
