import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { OpenVariant } from "#server/adapters/image-store/image-store.ts";
import { matchesEtag } from "#server/api/byte-range.ts";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { privateImageHeaders } from "#server/api/files.ts";
import type { Features } from "#server/features/index.ts";
import { found } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  features: {
    chat: Pick<Features["chat"], "openImage">;
    importedConversations: Pick<Features["importedConversations"], "openImage">;
  };
};
type Wanted = { conversation: string; number: number; width: number };
type Open = (viewer: Viewer, wanted: Wanted) => Promise<OpenVariant | null>;

const params = z.object({
  conversation: z.string(),
  number: z.string().regex(/^[1-9]\d{0,9}$/),
  file: z.string().regex(/^[1-9]\d{0,4}\.webp$/),
});

/**
 * GET /chat/pictures/{conversation}/{seq}/{width}.webp: one variant of a message's photo, for its two
 * members. GET /chat/imported/…: the same of an imported conversation, for its owner. Revalidated each time,
 * stored in no shared cache.
 */
export function messageImageRoutes({ features: { chat, importedConversations } }: Deps) {
  const kinds: Record<string, Open> = {
    "/chat/pictures": (viewer, { conversation: conversationId, number: seq, width }) =>
      chat.openImage(viewer, { conversationId, seq }, width),
    "/chat/imported": (viewer, { conversation: threadId, number, width }) =>
      importedConversations.openImage(viewer, { threadId, number }, width),
  };
  return async (app: Calls): Promise<void> => {
    for (const [path, open] of Object.entries(kinds)) {
      app.get(
        `${path}/:conversation/:number/:file`,
        {
          logLevel: "warn",
          config: { access: "member", rateLimit: false },
          schema: { hide: true },
        },
        (request, reply) => send(open, request, reply),
      );
    }
  };
}

async function send(open: Open, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { conversation, number, file } = found(params.safeParse(request.params).data);
  const wanted = { conversation, number: Number(number), width: Number.parseInt(file, 10) };
  const image = found(await open(memberOf(request), wanted));
  const tag = `"${conversation}-${number}-${wanted.width}"`;
  void reply.headers({
    ...privateImageHeaders,
    "Cache-Control": "private, no-cache",
    ETag: tag,
  });
  if (matchesEtag(request.headers["if-none-match"], tag)) {
    await image.close();
    return reply.status(304).send();
  }
  return reply.header("Content-Length", image.bytes).send(image.read());
}
