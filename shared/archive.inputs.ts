import { z } from "zod";
import { exportKinds } from "#shared/archive.ts";
import { focalPoint } from "#shared/focal-point.ts";
import { languageTag } from "#shared/languages.ts";
import { limits } from "#shared/limits.ts";
import { audiences } from "#shared/posts.ts";
import { cleanText } from "#shared/text.ts";

const { archive } = limits;

/** Bytes of the longest texts that could be valid; the feature decides how long they may be. */
const anyText = z.string().max(65_536);

/** What is not here yet of an export that a device read. */
export const deviceImportInput = z.object({
  kind: z.enum(exportKinds),
  /** null: as in the next post */
  audience: z.enum(audiences).nullable().default(null),
  posts: z.int().min(0).max(archive.exportedPosts),
  /** at its end, its newest posts are shown in feeds, on their days */
  showNewest: z.boolean().default(false),
  /** of the photos of these */
  bytes: z.int().min(0),
});

/** A post of an export: its service, and a hash of what tells it apart there. */
const key = z.string().regex(/^[a-z-]{1,20}:[0-9a-f]{32}$/);

export const knownKeysInput = z.object({ keys: z.array(key).max(archive.keysAtOnce) });

/** Accounts that somebody followed elsewhere: their profiles' addresses, or as @name@host. */
export const elsewhereInput = z.object({
  accounts: z
    .array(z.string().max(limits.elsewhere.address).transform(cleanText))
    .max(limits.elsewhere.atOnce),
});

const described = {
  alt: anyText.default(""),
  focalPoint: focalPoint.nullable().default(null),
};
/** One that was sent, or one that is fetched because the export does not have it. */
const picture = z.union([
  z.object({ ...described, imageId: z.string().max(64) }),
  z.object({ ...described, url: z.string().max(2000) }),
]);

/** One post; `audience` is the widest that it may have. */
export const devicePostInput = z.object({
  key,
  /** epoch ms; the largest a Date can be */
  time: z.int().min(-8.64e15).max(8.64e15),
  caption: anyText.default(""),
  // One that this Postcard does not know is no reason to leave the post out.
  language: z.string().max(100).transform(languageTag).nullable().catch(null).default(null),
  warning: anyText.nullable().default(null),
  sensitive: z.boolean().default(false),
  audience: z.enum(audiences),
  /** everybody sees where its photos were taken; else that is forgotten */
  showPlace: z.boolean().default(false),
  pictures: z.array(picture).max(limits.photosPerPost),
});

const sentences = (most: number) => z.array(z.string().max(500).transform(cleanText)).max(most);

/** What an import from a device left out, and how many of its posts were here before it. */
export const deviceImportEndInput = z.object({
  skipped: sentences(archive.leftOut).default([]),
  leftOut: sentences(100).default([]),
  known: z.int().min(0).max(archive.exportedPosts).default(0),
});
