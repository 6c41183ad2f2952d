import { createReadStream } from "node:fs";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { chapter } from "#server/api/declare.ts";
import { chatParams, checkSender, sentBy } from "#server/api/chats.ts";
import { answerPreparedOnce, takesKey, type idempotencyHeaders } from "#server/api/idempotent.ts";
import { addStreamed, withUploadedImage } from "#server/api/files.ts";
import { imageRefusals } from "#server/api/parameters.ts";
import type { Uploads } from "#server/http/uploads.ts";
import type { Features } from "#server/features/index.ts";
import { hashOf } from "#server/platform/hashing.ts";
import { messageSchema } from "#shared/chat.schemas.ts";

type Deps = {
  features: Pick<Features, "chat" | "idempotency">;
  uploads: Uploads;
};

type Sent = {
  Params: z.output<typeof chatParams>;
  Headers: z.output<typeof idempotencyHeaders>;
};

const form = z.object({
  image: z.string().meta({ format: "binary", description: "the file" }),
  body: z.string().optional().describe("words with it, 4,000 characters at most"),
  ...sentBy,
});

/**
 * POST /api/chats/:chatId/photos: sends a photo, with or without words, to the other member of a
 * conversation.
 */
export function chatPhotoRoutes({ features, uploads }: Deps) {
  const { chat } = features;

  async function send(request: FastifyRequest<Sent>, reply: FastifyReply) {
    const viewer = memberOf(request);
    const { headers, method, url, params } = request;
    return withUploadedImage(request, { uploads, from: viewer.id }, async (photo, fields) => {
      const { body = "", clientKey = null, senderId } = fields;
      checkSender(viewer, senderId);
      // Two files with the same name are two requests: requests are compared by their bytes.
      const payload = { body, image: (await hashOf(createReadStream(photo.path))).sha256 };
      const message = { body, picture: photo, clientKey };
      const asked = { viewer, headers, method, url, body: payload };
      return answerPreparedOnce(features, asked, reply, {
        prepare: () => chat.prepareMessage(viewer, params.chatId, message),
        work: async (ready) => ({ status: 201, body: await chat.writeMessage(viewer, ready) }),
        drop: chat.dropMessage,
      });
    });
  }

  return async (app: Calls): Promise<void> => {
    await addStreamed(app, (scope) => {
      scope.post<Sent>("/api/chats/:chatId/photos", { ...declaration, handler: send });
    });
  };
}

const declaration = chapter("Chats").forMembers(
  ["not-found", "chat-closed", "key-reused", "storage-full", "newcomers-full", ...imageRefusals],
  {
    summary: "Send a photo",
    description:
      "JPEG, PNG, WebP, AVIF, HEIC or GIF, 25 MB and 50 megapixels at most, with words or without. The two " +
      "of the chat read it at `/chat/pictures/{conversationId}/{seq}/{width}.webp`, in one of the " +
      "`widths` of `picture`; nobody else does.",
    consumes: ["multipart/form-data"],
    ...takesKey,
    params: chatParams,
    body: form,
    response: { 201: messageSchema },
  },
);
