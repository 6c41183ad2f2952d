import { z } from "zod";
import { imageSchema } from "#shared/images.schemas.ts";
import { noticeKinds, notificationKinds } from "#shared/notification-kinds.ts";
import { accountSchema } from "#shared/views.schemas.ts";

/* As shared/views.schemas.ts, which the browser never loads either. */

const id = z.uuid();
const time = z.number().int().describe("epoch milliseconds");
const count = z.number().int().min(0);

export const notificationSchema = z
  .object({
    id,
    kind: z.enum([...notificationKinds, ...noticeKinds]),
    unread: z.boolean(),
    /** when the newest of it happened */
    at: time,
    people: z.array(accountSchema).describe("the newest two who did it"),
    others: count.describe("how many more did it, among the newest 100 times it was done"),
    moreOthers: z.boolean().describe("it was done more often than is counted"),
    /** the post it is about; null for a follow or a message */
    post: z
      .object({ path: z.string(), hasPicture: z.boolean(), picture: imageSchema.nullable() })
      .nullable(),
    album: z
      .object({
        id,
        title: z.string(),
        photos: count.describe("that they all added; 100 stands for that many and more"),
      })
      .nullable()
      .optional()
      .describe("the album it is about"),
    /** where it happened: the newest comment or the mentioning one */
    commentId: id.nullable(),
    onComment: z.boolean().describe("a like of your comment, or an answer to it"),
    /** the conversation of a message */
    conversationId: id.nullable(),
    /** empty for a follow, a photo without a caption, a message */
    text: z.string().describe("the beginning of what was said; of a post with a warning, that"),
    following: z
      .boolean()
      .nullable()
      .describe("whether you follow the one person who followed you; null for everything else"),
    requested: z
      .boolean()
      .nullable()
      .describe("whether you asked to follow that person, and wait; null for everything else"),
  })
  .meta({ id: "Notification" });
