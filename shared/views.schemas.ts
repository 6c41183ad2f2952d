import { z } from "zod";
import { notificationKinds } from "#shared/notifications.ts";

/**
 * The views of shared/views.ts as schemas: what the calls of programs declare to answer. Never for
 * the browser. TypeScript holds the two together where a handler answers a view.
 */

const id = z.uuid();
const time = z.number().int().describe("epoch milliseconds");
const count = z.number().int().min(0);

export const pictureSchema = z
  .object({
    key: z.string().regex(/^[0-9a-f]{32}$/),
    width: z.number().int().describe("pixels"),
    height: z.number().int().describe("pixels"),
    widths: z.array(z.number().int()).describe("widths it is served in, ascending"),
    thumbhash: z.string().describe("a blurred preview, base64 (evanw.github.io/thumbhash)"),
    alt: z.string(),
  })
  .meta({
    id: "PictureView",
    description: "Served at `/images/{key}/{width}.webp`, for each of `widths`.",
  });

export const accountSchema = z
  .object({
    id,
    username: z.string(),
    name: z.string().describe("full name; the username where none was given"),
    avatar: pictureSchema.nullable(),
  })
  .meta({ id: "AccountSummary", description: "An account as others see it." });

export const listedAccountSchema = accountSchema
  .extend({ following: z.boolean().describe("the caller follows it") })
  .meta({ id: "ListedAccount", description: "An account in a list of followers or followed." });

export const commentSchema = z
  .object({
    id,
    author: accountSchema,
    body: z.string(),
    createdAt: time,
    deletable: z.boolean().describe("the caller wrote it or wrote the post"),
  })
  .meta({ id: "CommentView" });

const postSchema = z.object({
  id,
  number: z
    .number()
    .int()
    .min(1)
    .describe("counted per author; with the author's address it names the post"),
  author: accountSchema,
  caption: z.string(),
  pictures: z.array(pictureSchema),
  createdAt: time,
  imported: z.boolean().describe("it came out of an archive: its time is what the archive says"),
  editedAt: time
    .nullable()
    .describe("when its words or photos changed last, epoch milliseconds; null: as it was posted"),
  version: count.describe(
    "counts its changes, descriptions of photos included: an edit names the one it was made from",
  ),
  likeCount: count,
  commentCount: count,
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
    picture: pictureSchema.nullable(),
    pictureCount: count,
    caption: z.string(),
    createdAt: time,
  })
  .meta({ id: "PostTile", description: "A photo post in a grid." });

export const feedPostSchema = postSchema
  .extend({ comments: z.array(commentSchema).describe("the newest two, oldest first") })
  .meta({ id: "FeedPost" });

export const earlierVersionSchema = z
  .object({ caption: z.string(), replacedAt: time.describe("until when it said so") })
  .meta({ id: "EarlierVersion", description: "What a post said before an edit." });

/** A page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe("send it back for the next page; null at the end"),
  });
}

const messagePictureSchema = z
  .object({
    width: z.number().int().describe("pixels"),
    height: z.number().int().describe("pixels"),
    widths: z.array(z.number().int()).describe("widths it is served in, ascending"),
    thumbhash: z.string().describe("a blurred preview, base64 (evanw.github.io/thumbhash)"),
  })
  .meta({
    id: "MessagePicture",
    description:
      "Served to the two members alone, at `/chat/pictures/{conversationId}/{seq}/{width}.webp`.",
  });

export const messageSchema = z
  .object({
    conversationId: id,
    seq: z.number().int().min(1).describe("counted in its conversation: the order both sides see"),
    id,
    senderId: id,
    body: z.string().describe("empty when it was deleted"),
    picture: messagePictureSchema.nullable(),
    deleted: z.boolean(),
    createdAt: time,
    clientKey: z.string().nullable(),
  })
  .meta({ id: "Message" });

export const chatSchema = z
  .object({
    id: id.describe("the other party's; the conversation's when that account is gone"),
    chatId: z.string().describe("names this chat in other calls"),
    conversationId: id.nullable().describe("null until the first message"),
    other: accountSchema.nullable().describe("the other party; null when that account is gone"),
    last: messageSchema.nullable(),
    unread: count.describe("99 stands for more"),
    muted: z.boolean(),
  })
  .meta({ id: "Chat" });

export const countsSchema = z.object({ posts: count, followers: count, following: count });

export const notificationSchema = z
  .object({
    id,
    kind: z.enum(notificationKinds),
    unread: z.boolean(),
    at: time,
    people: z.array(accountSchema).describe("the newest two who did it"),
    others: count.describe("how many more did it; 998 stands for that many and more"),
    post: z
      .object({ path: z.string(), hasPicture: z.boolean(), picture: pictureSchema.nullable() })
      .nullable(),
    commentId: id.nullable(),
    conversationId: id.nullable(),
    text: z.string().describe("the beginning of what was said"),
  })
  .meta({ id: "Notification" });
