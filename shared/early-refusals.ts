import { makeRefusal, type RefusalOf } from "#shared/refusals.ts";

/**
 * Refusals that a page decides itself before anything is sent; the server decides the same. These are all
 * the error messages that a browser loads: the others are in errors.ts and come with answers.
 */
export const earlyRefusals = {
  "picture-too-heavy": [413, "This picture is larger than 25 MB. Choose a smaller one."],
  "picture-required": [400, "Please select a profile image"],
  "post-empty": [400, "Add a photo or write something"],
  "archive-required": [400, "Choose an archive first: the zip file of an export."],
  "archive-too-heavy": [413, "This archive is larger than 4 GB. That's too large to import."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type EarlyRefusalCode = keyof typeof earlyRefusals;

export function refuseEarly(code: EarlyRefusalCode): RefusalOf<EarlyRefusalCode> {
  return makeRefusal(code, earlyRefusals[code]);
}

export function isEarly(code: string): code is EarlyRefusalCode {
  return Object.hasOwn(earlyRefusals, code);
}
