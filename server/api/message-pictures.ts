import { z } from "zod";
import { namesTag } from "#server/api/byte-range.ts";
import { memberOf, type Calls } from "#server/api/calls.ts";
import type { Features } from "#server/features/index.ts";
import { refuse } from "#shared/errors.ts";

type Deps = { features: { chat: Pick<Features["chat"], "openPicture"> } };

const params = z.object({
  conversation: z.string(),
  seq: z.string().regex(/^[1-9]\d{0,9}$/),
  file: z.string().regex(/^[1-9]\d{0,4}\.webp$/),
});

/**
 * GET /chat/pictures/{conversation}/{seq}/{width}.webp: one variant of a message's picture, for its
 * two members: asked for anew each time, in no shared cache.
 */
export function messagePictureRoutes({ features }: Deps) {
  return async (app: Calls): Promise<void> => {
    app.get(
      "/chat/pictures/:conversation/:seq/:file",
      { logLevel: "warn", config: { access: "member", rateLimit: false }, schema: { hide: true } },
      async (request, reply) => {
        const wanted = params.safeParse(request.params);
        if (!wanted.success) throw refuse("not-found");
        const { conversation, seq, file } = wanted.data;
        const message = { conversationId: conversation, seq: Number(seq) };
        const width = Number.parseInt(file, 10);
        const found = await features.chat.openPicture(memberOf(request), message, width);
        if (!found) throw refuse("not-found");
        const tag = `"${conversation}-${seq}-${width}"`;
        void reply.headers({
          "Cache-Control": "private, no-cache",
          ETag: tag,
          "Content-Type": "image/webp",
          "Content-Disposition": 'inline; filename="picture.webp"',
          "Content-Security-Policy": "default-src 'none'; sandbox",
          "Cross-Origin-Resource-Policy": "same-origin",
          "X-Content-Type-Options": "nosniff",
        });
        if (namesTag(request.headers["if-none-match"], tag)) {
          await found.close();
          return reply.status(304).send();
        }
        return reply.header("Content-Length", found.bytes).send(found.read());
      },
    );
  };
}
