import type { FastifyInstance } from "fastify";
import { readDecimal } from "#server/platform/db/decimal-ids.ts";
import type { MastodonDeps } from "#server/mastodon/router.ts";
import { createInitials, initialsPath } from "#server/mastodon/initials.ts";
import { refuse } from "#shared/errors.ts";

/** Cached like images: for good by browsers, for ten minutes by shared caches. */
const forGood = "public, max-age=31536000, s-maxage=600, immutable";

/** The avatar of an account without one: its initials, as our screens show them. */
export function initialsRoute(
  app: FastifyInstance,
  { features: { relations } }: Pick<MastodonDeps, "features">,
): void {
  const initials = createInitials();

  app.get<{ Params: { id: string; file: string } }>(
    "/initials/:id/:file",
    { schema: { hide: true } },
    async ({ params: { id, file } }, reply) => {
      // An address that was never handed out is refused before anything is drawn.
      if (readDecimal(id) === null || !/^[\w-]{10}\.png$/.test(file)) throw refuse("not-found");
      const accountId = await relations.find(id);
      const [found] = accountId ? await relations.details(null, [accountId]) : [];
      if (!found) throw refuse("not-found");
      const { name } = found.account;
      const path = initialsPath(id, name);
      // With a former name, in an app that cached the address.
      const isNow = path === `/initials/${id}/${file}`;
      const image = await initials(name);
      return reply
        .header("Cache-Control", isNow ? forGood : "public, max-age=300")
        .type("image/png")
        .send(image);
    },
  );
}
