import { z } from "zod";
import type { Calls } from "#server/api/calls.ts";
import { address, cursorQuery } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import {
  countsSchema,
  foundAccountSchema,
  listedAccountSchema,
  pageOf,
  postTileSchema,
  postViewSchema,
} from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "accounts" | "follows" | "posts" | "profiles" | "search"> };
type Asked = { viewer: Viewer | null; params: { address: string } };
type AskedPage = Asked & { query: { cursor?: string } };

const declareList = <Item extends z.ZodType>(item: Item, summary: string, description: string) => ({
  config: { access: "anybody" as const, refusals: ["not-found"] as const },
  schema: {
    tags: ["Accounts"],
    summary,
    description,
    params: z.object({ address }),
    querystring: cursorQuery,
    response: { 200: pageOf(item) },
  },
});

const latestFirst = "Latest first, 30 a page.";
const lists = {
  followers: declareList(listedAccountSchema, "Who follows an account", latestFirst),
  following: declareList(listedAccountSchema, "Whom an account follows", latestFirst),
  photos: declareList(postTileSchema, "An account's photos", "Newest first, 24 a page."),
  texts: declareList(postViewSchema, "An account's posts without a photo", "Newest first."),
};

const counts = {
  config: { access: "anybody" as const, refusals: ["not-found"] as const },
  schema: {
    tags: ["Accounts"],
    summary: "An account's counts",
    params: z.object({ address }),
    response: { 200: countsSchema },
  },
};

/** Finding accounts, and what one shows to everybody: its posts, and who follows whom. */
export function accountRoutes({ features }: Deps) {
  const { accounts, follows, posts, profiles, search } = features;

  async function accountAt({ viewer, params }: Asked): Promise<string> {
    const account = await accounts.findByAddress(viewer, params.address);
    if (!account) throw refuse("not-found");
    return account.id;
  }

  async function target({ viewer, params, query }: AskedPage) {
    return [viewer, await accountAt({ viewer, params }), query.cursor || null] as const;
  }

  return async (app: Calls): Promise<void> => {
    const path = "/api/accounts/:address";
    app.get(`${path}/counts`, counts, async (request) => {
      const profile = await profiles.get(request.viewer, await accountAt(request));
      if (!profile) throw refuse("not-found");
      return profile.counts;
    });
    app.get(`${path}/followers`, lists.followers, async (request) =>
      follows.followers(...(await target(request))),
    );
    app.get(`${path}/following`, lists.following, async (request) =>
      follows.following(...(await target(request))),
    );
    app.get(`${path}/photos`, lists.photos, async (request) =>
      posts.photosOf(...(await target(request))),
    );
    app.get(`${path}/texts`, lists.texts, async (request) =>
      posts.textsOf(...(await target(request))),
    );

    app.get(
      "/api/search",
      {
        config: { access: "anybody" },
        schema: {
          tags: ["Accounts"],
          summary: "Search accounts",
          description:
            "By any part of a name or username, or of the email of someone who can be found by it. " +
            "Best match first, 30 a page.",
          querystring: cursorQuery.extend({ q: z.string().max(1000).describe("what to look for") }),
          response: { 200: pageOf(foundAccountSchema) },
        },
      },
      async ({ viewer, query, ip }) =>
        search.accounts(viewer, query.q, query.cursor || null, { ip }),
    );
  };
}
