import { z } from "zod";
import { imageSchema, cameraSchema, locationSchema } from "#shared/images.schemas.ts";
import { limits } from "#shared/limits.ts";
import { commenters, shownAudiences, type ShownChoice } from "#shared/posts.ts";

/**
 * The answers to screens and to programs alike: the calls of programs declare these schemas, everything
 * else takes its types from shared/views.ts. The browser never loads this file. A description is in the
 * calls' document; a comment is for us.
 */

const id = z.uuid();
const time = z.number().int().describe("epoch milliseconds");
const count = z.number().int().min(0);

export const postDetailsSchema = z
  .object({
    showCamera: z.boolean(),
    showPlace: z.boolean(),
    photos: z
      .array(
        z.object({
          key: imageSchema.shape.key,
          camera: cameraSchema.nullable(),
          place: locationSchema.nullable(),
        }),
      )
      .describe("in their order; none where neither is shown"),
  })
  .meta({ id: "PostDetails" });

/** An account as others see it: never its email. */
export const accountSchema = z
  .object({
    id,
    username: z.string(),
    name: z.string().describe("full name; the username where none was given"),
    avatar: imageSchema.nullable(),
  })
  .meta({ id: "AccountSummary", description: "An account as others see it." });

export const listedAccountSchema = accountSchema
  .extend({
    following: z.boolean().describe("the caller follows it"),
    requested: z.boolean().describe("the caller asked to follow it, and waits for an answer"),
  })
  .meta({ id: "ListedAccount", description: "An account in a list of followers or followed." });

/** An account whose profile names one on another service. */
export const accountElsewhereSchema = listedAccountSchema.extend({
  /** the name there, as "host/name" */
  elsewhere: z.string(),
  /** that one names this profile, too */
  verified: z.boolean(),
});

export const hiddenAccountSchema = accountSchema
  .extend({ until: time.nullable().describe("when a mute ends; null: when it is lifted") })
  .meta({ id: "HiddenAccount", description: "An account that the caller blocked or muted." });

/** An account as a search finds it. */
export const foundAccountSchema = listedAccountSchema
  .extend({
    bio: z.string().describe("its first line"),
    followedBy: z
      .object({ name: z.string(), others: count })
      .nullable()
      .describe(
        "who of the 50 accounts that the caller followed last follows it: the latest of them, and how " +
          "many others; null where nobody does",
      ),
  })
  .meta({ id: "FoundAccount", description: "An account that was searched for." });

export const suggestedAccountSchema = foundAccountSchema
  .extend({ photos: z.array(imageSchema).describe("of its newest photo posts, three at most") })
  .meta({ id: "SuggestedAccount", description: "An account that the caller may want to follow." });

const mentions = z
  .array(z.string())
  .describe("usernames in it that lead to somebody the caller may see, in lower case");

const language = z
  .string()
  .nullable()
  .describe("of the words, a tag of BCP 47, as the app they were written in says; null: not said");

export const commentSchema = z
  .object({
    id,
    author: accountSchema,
    rootId: id.nullable().describe("the comment it stands under; null: it answers none"),
    body: z.string(),
    language,
    mentions,
    createdAt: time,
    editedAt: time.nullable().describe("when its words changed last; null: as it was written"),
    replyCount: count.describe("answers under it"),
    likeCount: count,
    /** by the viewer */
    liked: z.boolean(),
    editable: z.boolean().describe("the caller wrote it, a few minutes ago"),
    /** the viewer may delete it */
    deletable: z.boolean().describe("the caller wrote it or wrote the post"),
    mutedWord: z
      .string()
      .optional()
      .describe("a word the caller muted is in it, this one: show it only when asked to"),
  })
  .meta({ id: "CommentView" });

const shownChoices = {
  commentsFrom: z
    .enum(commenters)
    .describe(
      "who may comment besides its author; `following`: the people whom the author follows",
    ),
  audience: z
    .enum(shownAudiences)
    .describe(
      "who may see it; where its author's account is private, its followers at most. `album`: " +
        "whoever the album is for that it was uploaded into",
    ),
  warning: z
    .string()
    .nullable()
    .describe(
      "its content warning: show it in place of the words and pictures until somebody asks for them",
    ),
  sensitive: z.boolean().describe("veil its pictures until somebody asks for them"),
} satisfies Record<ShownChoice, z.ZodType>;

export const postSchema = z.object({
  id,
  number: z
    .number()
    .int()
    .min(1)
    .describe("counted per author; with the author's address it names the post"),
  author: accountSchema,
  caption: z.string(),
  language,
  mentions,
  pictures: z.array(imageSchema),
  createdAt: time,
  imported: z.boolean().describe("it came out of an archive: its time is what the archive says"),
  editedAt: time
    .nullable()
    .describe("when its words or photos changed last, epoch milliseconds; null: as it was posted"),
  version: count.describe(
    "counts its changes, descriptions of photos included: an edit names the one it was made from",
  ),
  detailed: z
    .boolean()
    .describe("its author shows how or where its photos were taken: see its `/details`"),
  ...shownChoices,
  private: z.boolean().describe("its author's account is private"),
  album: z
    .object({ id, title: z.string() })
    .nullable()
    .optional()
    .describe("where its `audience` is `album`: that album, if the caller may see it"),
  canComment: z
    .boolean()
    .describe("the caller may comment; without a caller: anybody who signs in may"),
  likeCount: count,
  commentCount: count,
  /** by the viewer */
  liked: z.boolean(),
  saved: z.boolean(),
  mine: z.boolean(),
});

export const postViewSchema = postSchema.meta({ id: "PostView" });

export const postTileSchema = z
  .object({
    id,
    number: postSchema.shape.number,
    authorUsername: z.string(),
    picture: imageSchema.nullable().describe("the first; null: words alone"),
    pictureCount: count,
    caption: z.string(),
    likeCount: count,
    commentCount: count,
    createdAt: time,
    audience: shownChoices.audience,
    warning: shownChoices.warning,
    sensitive: shownChoices.sensitive,
    private: postSchema.shape.private,
  })
  .meta({ id: "PostTile", description: "A post in a grid." });

export const feedPostSchema = postSchema
  .extend({ comments: z.array(commentSchema).describe("the newest two, oldest first") })
  .meta({ id: "FeedPost" });

export const tagSchema = z
  .object({
    tag: z
      .string()
      .describe("without its #, as tags are compared: lower case, wide letters narrow"),
    posts: count.describe(
      `of its newest posts those that the caller may see; ${limits.tagPostsCounted + 1} stands for that many and more`,
    ),
  })
  .meta({ id: "Tag" });

export const earlierVersionSchema = z
  .object({
    caption: z.string(),
    warning: shownChoices.warning,
    replacedAt: time.describe("until when it said so"),
    keys: z
      .array(imageSchema.shape.key)
      .nullable()
      .describe("of the pictures it had, as far as the post still has them; null: not known"),
  })
  .meta({ id: "EarlierVersion", description: "What a post said before an edit." });

export const altSuggestionSchema = z
  .object({
    id,
    key: imageSchema.shape.key.describe("the picture it describes"),
    by: accountSchema,
    alt: z.string(),
  })
  .meta({ id: "AltSuggestion", description: "What somebody suggests as a picture's `alt`." });

/** A page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe("send it back for the next page; null at the end"),
  });
}

export const commentThreadSchema = commentSchema
  .extend({ replies: pageOf(commentSchema).describe("the first answers under it, oldest first") })
  .meta({ id: "CommentThread", description: "A comment with what was answered to it." });

export const countsSchema = z.object({
  posts: count,
  photos: count.describe("posts with a photo; the others are words"),
  followers: count,
  following: count,
});
