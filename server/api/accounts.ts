import { z } from "zod";
import { callsOf } from "#server/api/declared-calls.ts";
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

type Asked = { viewer: Viewer | null; params: { address: string } };
type AskedPage = Asked & { query: { cursor: string | null } };

const { forAnybody } = callsOf("Accounts");
const path = "/api/accounts/:address";
const params = z.object({ address });

const listOf = <Item extends z.ZodType>(item: Item) => ({
  refuses: ["not-found"] as const,
  params,
  ...pagesOf(item),
});

const accountAt = async ({ accounts }: Features, { viewer, params }: Asked) =>
  found(await accounts.findByAddress(viewer, params.address)).id;

async function target(features: Features, asked: AskedPage) {
  return [asked.viewer, await accountAt(features, asked), asked.query.cursor] as const;
}

/** Finding accounts, and what an account shows to everybody: its posts, and who follows whom. */
export const accountCalls = {
  counts: forAnybody(`GET ${path}/counts`, {
    refuses: ["not-found"],
    summary: "An account's counts",
    params,
    response: { 200: countsSchema },
    handler: async (features, request) => {
      const id = await accountAt(features, request);
      return found(await features.profiles.get(request.viewer, id)).counts;
    },
  }),
  followers: forAnybody(`GET ${path}/followers`, {
    ...listOf(listedAccountSchema),
    summary: "Who follows an account",
    description: "Latest first, 30 a page.",
    handler: async (features, request) =>
      features.follows.followers(...(await target(features, request))),
  }),
  following: forAnybody(`GET ${path}/following`, {
    ...listOf(listedAccountSchema),
    summary: "Whom an account follows",
    description: "Latest first, 30 a page.",
    handler: async (features, request) =>
      features.follows.following(...(await target(features, request))),
  }),
  photos: forAnybody(`GET ${path}/photos`, {
    ...listOf(postTileSchema),
    summary: "An account's photos",
    description: "Newest first, 24 a page.",
    handler: async (features, request) =>
      features.posts.photosOf(...(await target(features, request))),
  }),
  texts: forAnybody(`GET ${path}/texts`, {
    ...listOf(postViewSchema),
    summary: "An account's posts without a photo",
    description: "Newest first.",
    handler: async (features, request) =>
      features.posts.textsOf(...(await target(features, request))),
  }),
  search: forAnybody("GET /api/search", {
    summary: "Search accounts",
    description:
      "By any part of a name or username, or of the email of someone who can be found by it. " +
      "Best match first, 30 a page.",
    querystring: cursorQuery.extend({ q: z.string().max(1000).describe("what to look for") }),
    response: { 200: pageOf(foundAccountSchema) },
    handler: ({ search }, { viewer, query, ip }) =>
      search.accounts(viewer, query.q, query.cursor, { ip }),
  }),
};
