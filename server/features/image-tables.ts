import type { ImageTables } from "#server/platform/backup/images.ts";

/**
 * Every table whose rows name files, in the order they are read. A visitor's image becomes a
 * member's: reading in this order misses none.
 */
export const imageTables = {
  visitor_images: "public",
  images: "public",
  message_pictures: "private",
  imported_pictures: "private",
} as const satisfies ImageTables;
