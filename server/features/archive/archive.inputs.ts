import { z } from "zod";
import { aboveEveryMessage } from "#shared/chat.ts";
import { albumAudiences, albumOrders } from "#shared/albums.ts";
import { refuse } from "#shared/errors.ts";
import { focalPoint } from "#shared/focal-point.ts";
import { languageTag } from "#shared/languages.ts";
import { limits } from "#shared/limits.ts";
import { audiences, commenters, type PostChoice } from "#shared/posts.ts";
import { profileFieldNames } from "#shared/profiles.ts";
import { recordOf } from "#shared/records.ts";

/**
 * What an import reads of an archive (docs/export-format.md). Everything else in the files is ignored: an
 * archive may contain more than this version of Postcard knows.
 */
const fileName = (form: RegExp) => z.string().max(100).regex(form);
const text = (most: number) => z.string().max(most);
/** Bytes of the longest texts that could be valid; the features decide how long they may be. */
const anyText = 65_536;
/** Files of posts, or of messages: our own archives put 50 posts or 200 messages into one. */
const mostPages = 20_000;

/**
 * A list whose length is checked before its entries: nobody needs 200,000 error messages for a list of
 * 200,000 invalid entries.
 */
function list<Entry extends z.ZodType>(entry: Entry, most: number) {
  return z.array(z.unknown()).max(most).pipe(z.array(entry));
}

/** epoch milliseconds; the largest a Date can be */
const time = z.int().min(0).max(8.64e15);

const imageFile = z.object({
  file: fileName(/^pictures\/[\w-]+\.[a-z0-9]+$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  alt: text(anyText).default(""),
  focalPoint: focalPoint.nullable().default(null),
});

export const manifestInput = z.object({
  format: z.literal("postcard-archive"),
  version: z.int().min(1),
  files: z.object({
    profile: z.literal("profile.json"),
    posts: list(fileName(/^posts\/\d{4,8}\.json$/), mostPages),
    messages: list(fileName(/^messages\/\d{4,8}\.json$/), mostPages).default([]),
    albums: list(fileName(/^albums\/\d{4,8}\.json$/), 1000).default([]),
  }),
});

export const profileInput = z.object({
  ...recordOf(profileFieldNames, () => text(anyText).default("")),
  extraFields: list(
    z.object({ name: text(anyText).default(""), value: text(anyText).default("") }),
    100,
  ).default([]),
  picture: imageFile.omit({ alt: true, focalPoint: true }).nullable().default(null),
  // What this Postcard does not know was meant to keep somebody out.
  private: z.boolean().catch(true).default(false),
});

const choices = {
  showCamera: z.boolean().default(false),
  showPlace: z.boolean().default(false),
  // A choice that this Postcard does not know was meant to keep somebody out.
  commentsFrom: z.enum(commenters).catch("nobody").default("everyone"),
  audience: z.enum(audiences).catch("only-me").default("everyone"),
  warning: text(anyText).nullable().default(null),
  sensitive: z.boolean().catch(true).default(false),
} satisfies Record<PostChoice, z.ZodType>;

const post = z.object({
  id: z.uuid(),
  number: z.int().min(1),
  time,
  timeZone: text(100).default("UTC"),
  caption: text(anyText),
  // One that this Postcard does not know is no reason to leave the post out.
  language: text(100).transform(languageTag).nullable().catch(null).default(null),
  pictures: list(imageFile, limits.photosPerPost),
  editedAt: time.nullable().default(null),
  ...choices,
  /** newest first */
  earlier: list(
    z.object({ caption: text(anyText), warning: choices.warning, until: time }),
    1000,
  ).default([]),
});

export const postsInput = z.object({ posts: list(post, 1000) });

/** More than an album may have here: what is too many is left out, with a sentence. */
const mostItems = 10 * limits.albums.items;
const album = z.object({
  id: z.uuid(),
  time,
  title: text(anyText),
  description: text(anyText).default(""),
  // What this Postcard does not know was meant to keep somebody out.
  audience: z.enum(albumAudiences).catch("members").default("members"),
  order: z.enum(albumOrders).catch("manual").default("manual"),
  cover: z.uuid().nullable().catch(null).default(null),
  contributors: list(z.object({ username: text(anyText) }), 1000).default([]),
  items: list(
    z.object({
      /** a post of the account's own; others' items have none */
      id: z.uuid().optional().catch(undefined),
      uploaded: z.boolean().catch(false).default(false),
    }),
    mostItems,
  ).default([]),
});

export const albumsInput = z.object({ albums: list(album, 1000) });

const pixels = z.int().min(1).max(65_535);
const message = z.object({
  id: z.uuid(),
  conversation: z.uuid(),
  /** its position in the conversation */
  number: z
    .int()
    .min(1)
    .max(aboveEveryMessage - 1),
  time,
  with: z
    .object({ username: text(anyText), name: text(anyText) })
    .nullable()
    .default(null),
  sent: z.boolean(),
  text: text(anyText),
  deleted: z.boolean().default(false),
  /** the file is included if the account sent it */
  picture: z
    .object({
      width: pixels,
      height: pixels,
      ...imageFile.pick({ file: true, sha256: true }).partial().shape,
    })
    .nullable()
    .default(null),
});

export const messagesInput = z.object({ messages: list(message, 1000) });

export type ParsedAlbum = z.output<typeof album>;
export type ParsedMessage = z.output<typeof message>;
export type ParsedPost = z.output<typeof post>;
export type ParsedProfile = z.output<typeof profileInput>;
/** What a file of an archive contains, or a refusal that names the file and the position in it. */
export function parseFile<Schema extends z.ZodType>(
  schema: Schema,
  name: string,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const position = issue?.path.map((part) => String(part).slice(0, 40)).join(".") ?? "";
  const where = position === "" ? name : `${name} (${position})`;
  throw refuse("archive-invalid", {
    message: `${where} in this archive doesn't match the format.`,
  });
}
