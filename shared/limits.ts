/** As a namespace, so that a screen includes only the limits it names. */
export * as limits from "./limit-values.ts";
