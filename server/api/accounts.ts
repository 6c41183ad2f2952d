import { z } from "zod";
import { chapter } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { address, cursorQuery, pagesOf } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { found } from "#shared/errors.ts";
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
type AskedPage = Asked & { query: { cursor?: string | undefined } };

const { forAnybody } = chapter("Accounts");
const path = "/api/accounts/:address";
const params = z.object({ address });

const list = <Item extends z.ZodType>(item: Item, summary: string, description: string) =>
  forAnybody(["not-found"], { summary, description, params, ...pagesOf(item) });

const latestFirst = "Latest first, 30 a page.";
const declared = {
  counts: forAnybody(["not-found"], {
    summary: "An account's counts",
    params,
    response: { 200: countsSchema },
  }),
  followers: list(listedAccountSchema, "Who follows an account", latestFirst),
  following: list(listedAccountSchema, "Whom an account follows", latestFirst),
  photos: list(postTileSchema, "An account's photos", "Newest first, 24 a page."),
  texts: list(postViewSchema, "An account's posts without a photo", "Newest first."),
  search: forAnybody([], {
    summary: "Search accounts",
    description:
      "By any part of a name or username, or of the email of someone who can be found by it. " +
      "Best match first, 30 a page.",
    querystring: cursorQuery.extend({ q: z.string().max(1000).describe("what to look for") }),
    response: { 200: pageOf(foundAccountSchema) },
  }),
};

/** Finding accounts, and what an account shows to everybody: its posts, and who follows whom. */
export function accountCalls({ features }: Deps) {
  const { accounts, follows, posts, profiles, search } = features;

  const accountAt = async ({ viewer, params }: Asked) =>
    found(await accounts.findByAddress(viewer, params.address)).id;

  async function target(asked: AskedPage) {
    return [asked.viewer, await accountAt(asked), asked.query.cursor || null] as const;
  }

  return {
    counts: call("GET", `${path}/counts`, declared.counts, async (request) => {
      return found(await profiles.get(request.viewer, await accountAt(request))).counts;
    }),
    followers: call("GET", `${path}/followers`, declared.followers, async (request) =>
      follows.followers(...(await target(request))),
    ),
    following: call("GET", `${path}/following`, declared.following, async (request) =>
      follows.following(...(await target(request))),
    ),
    photos: call("GET", `${path}/photos`, declared.photos, async (request) =>
      posts.photosOf(...(await target(request))),
    ),
    texts: call("GET", `${path}/texts`, declared.texts, async (request) =>
      posts.textsOf(...(await target(request))),
    ),
    search: call("GET", "/api/search", declared.search, async ({ viewer, query, ip }) =>
      search.accounts(viewer, query.q, query.cursor || null, { ip }),
    ),
  };
}
