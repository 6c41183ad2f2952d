import { limits } from "#shared/limits.ts";

/** How a form that may bring an archive is read. */
export const archiveBounds = {
  fileBytes: limits.archive.bytes,
  tooHeavy: "archive-too-heavy",
  readPastHeavy: false,
} as const;
