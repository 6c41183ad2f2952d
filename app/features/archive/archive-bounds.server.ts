import { limits } from "#shared/limits.ts";

/** How a form that may bring an archive is read. */
export const archiveBounds = {
  fileBytes: limits.archive.bytes,
  tooHeavy: "archive-too-heavy",
  readPast: false,
  maxFiles: 1,
  lane: "archives",
} as const;
