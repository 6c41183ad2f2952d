import { z } from "zod";
import { imageSchema } from "#shared/images.schemas.ts";
import { accountSchema } from "#shared/views.schemas.ts";

/* As shared/views.schemas.ts, which the browser never loads either. */

const id = z.uuid();
const time = z.number().int().describe("epoch milliseconds");
const count = z.number().int().min(0);

/** Its address is messagePhoto in shared/chat.ts. */
const messagePhotoSchema = imageSchema
  .omit({ key: true, focus: true, focalPoint: true, alt: true })
  .meta({
    id: "MessagePicture",
    description:
      "Served to the two members alone, at `/chat/pictures/{conversationId}/{seq}/{width}.webp`.",
  });

export const messageSchema = z
  .object({
    conversationId: id,
    /** from 1, without a gap */
    seq: z.number().int().min(1).describe("counted in its conversation: the order both sides see"),
    id,
    senderId: id,
    body: z.string().describe("empty when it was deleted"),
    picture: messagePhotoSchema.nullable(),
    deleted: z.boolean(),
    createdAt: time,
    /** the key its sender's client gave it */
    clientKey: z.string().nullable(),
  })
  .meta({ id: "Message" });

export const conversationSummarySchema = z.object({
  chatId: z.string().describe("names this chat in other calls"),
  conversationId: id.nullable().describe("null until the first message"),
  other: accountSchema.nullable().describe("the other party; null when that account is gone"),
  last: messageSchema.nullable(),
  /** messages of the other party that the viewer has not seen */
  unread: count.describe("99 stands for more"),
  muted: z.boolean(),
});

export const conversationSchema = z
  .object({
    id: id.describe("the other party's; the conversation's when that account is gone"),
    ...conversationSummarySchema.shape,
  })
  .meta({ id: "Chat" });
