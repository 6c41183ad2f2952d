/** As a namespace, so that a screen carries the limits it names and no other. */
export * as limits from "./limit-values.ts";
