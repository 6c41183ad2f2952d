import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { call } from "#server/api/declared-calls.ts";
import { answerOnce, takesKey } from "#server/api/idempotent.ts";
import { cursorQuery, postParams } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { refuse, type RefusalCode } from "#shared/errors.ts";
import { choices, editedChoices, editInput, publishInput } from "#shared/posts.inputs.ts";
import {
  earlierVersionSchema,
  feedPostSchema,
  listedAccountSchema,
  pageOf,
  postDetailsSchema,
} from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "posts" | "likes" | "bookmarks" | "idempotency"> };

const tags = ["Posts"];
const nothing = z.undefined().describe("done");
const likeState = z.object({ liked: z.boolean(), likeCount: z.number().int() });
const saveState = z.object({ saved: z.boolean() });

const newPost = z.object({
  caption: publishInput.shape.caption.optional().describe("2,200 characters at most"),
  pictures: publishInput.shape.pictures
    .optional()
    .describe(
      "In their order, 10 at most: `imageId` is the `data.id` that `POST /api/images` answered, " +
        "`alt` says what the picture shows, 1,000 characters at most, empty where nobody said it",
    ),
  timeZone: publishInput.shape.timeZone
    .optional()
    .describe(
      "IANA name, such as `Europe/Rome`: where the stored date and hour are read. Else UTC",
    ),
  ...choices,
});

const edit = z.object({
  version: editInput.shape.version.describe(
    "the post's `version` that this edit was made from; another one is refused with post-changed",
  ),
  caption: editInput.shape.caption.describe("2,200 characters at most; left out, it stays"),
  pictures: editInput.shape.pictures.describe(
    "All that the post is to show, in their order, 10 at most; left out, they stay. One that is " +
      "there is named by its `key`, an added one by its `imageId`, the `data.id` that " +
      "`POST /api/images` answered. `alt` left out stays. A picture that is not named is deleted",
  ),
  ...editedChoices,
});

/** The declaration of a call that sets or withdraws something; sent again, it changes nothing. */
function declareSwitch<State extends z.ZodType>(summary: string, state: State) {
  const refusals: RefusalCode[] = ["not-found"];
  return {
    config: { access: "member" as const, refusals },
    schema: { tags, summary, params: postParams, response: { 200: state } },
  };
}

/** Posts, and what a member does with one: like and save, each set or withdrawn. */
export function postCalls({ features }: Deps) {
  const { posts, likes, bookmarks } = features;
  const path = "/api/posts/:address/:number";

  return {
    get: call(
      "GET",
      path,
      {
        config: { access: "anybody", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "One post",
          params: postParams,
          response: { 200: feedPostSchema },
        },
      },
      async ({ viewer, params }) => {
        const post = await posts.get(viewer, params.address, params.number);
        if (!post) throw refuse("not-found");
        return post;
      },
    ),

    publish: call(
      "POST",
      "/api/posts",
      {
        config: {
          access: "member",
          refusals: ["post-empty", "picture-unknown", "key-reused"],
        },
        schema: {
          tags,
          summary: "Publish a post",
          description: "Words, pictures or both.",
          ...takesKey,
          body: newPost,
          response: { 201: feedPostSchema },
        },
      },
      async (request, reply) =>
        answerOnce(features, request, reply, async () => {
          const viewer = memberOf(request);
          const { caption = "", pictures = [], timeZone = "UTC", ...chosen } = request.body;
          const wanted = { caption, pictures, timeZone, clientKey: null, ...chosen };
          return { status: 201, body: await posts.publishShown(viewer, wanted) };
        }),
    ),

    edit: call(
      "PATCH",
      path,
      {
        config: {
          access: "member",
          refusals: ["not-found", "not-yours", "post-empty", "picture-unknown", "post-changed"],
        },
        schema: {
          tags,
          summary: "Edit one of your posts",
          description:
            "Its words, its pictures, their order and descriptions, who may comment; it keeps its likes, comments " +
            "and bookmarks. It is marked as edited (`editedAt`), unless only descriptions changed or who may comment. " +
            "Sent again, it changes nothing.",
          params: postParams,
          body: edit,
          response: { 200: feedPostSchema },
        },
      },
      async (request) => {
        const viewer = memberOf(request);
        const { address, number } = request.params;
        await posts.edit(viewer, address, number, request.body);
        const post = await posts.get(viewer, address, number);
        if (!post) throw refuse("not-found");
        return post;
      },
    ),

    details: call(
      "GET",
      `${path}/details`,
      {
        config: { access: "anybody", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "How and where the photos of a post were taken",
          description: "As far as the author shows it; no photos where they show neither.",
          params: postParams,
          response: { 200: postDetailsSchema },
        },
      },
      async ({ viewer, params }) => {
        const found = await posts.details(viewer, params.address, params.number);
        if (!found) throw refuse("not-found");
        return found;
      },
    ),

    versions: call(
      "GET",
      `${path}/versions`,
      {
        config: { access: "member", refusals: ["not-found", "not-yours"] },
        schema: {
          tags,
          summary: "What one of your posts said before its edits",
          description: "Newest first; the newest 20 are kept. For its author alone.",
          params: postParams,
          response: { 200: z.object({ items: z.array(earlierVersionSchema) }) },
        },
      },
      async (request) => {
        const { address, number } = request.params;
        return { items: await posts.earlierVersions(memberOf(request), address, number) };
      },
    ),

    remove: call(
      "DELETE",
      path,
      {
        config: { access: "member", refusals: ["not-found", "not-yours"] },
        schema: {
          tags,
          summary: "Delete one of your posts",
          description: "Also deletes its comments, likes, pictures and everyone's bookmarks of it.",
          params: postParams,
          response: { 204: nothing },
        },
      },
      async (request, reply) => {
        const { address, number } = request.params;
        await posts.remove(memberOf(request), address, number);
        void reply.status(204);
      },
    ),

    likedBy: call(
      "GET",
      `${path}/likes`,
      {
        config: { access: "anybody", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "Who likes a post",
          description: "Newest first, 30 a page.",
          params: postParams,
          querystring: cursorQuery,
          response: { 200: pageOf(listedAccountSchema) },
        },
      },
      async ({ viewer, params, query }) => {
        const ref = await posts.refAt(viewer, params.address, params.number);
        return likes.list(viewer, ref, query.cursor || null);
      },
    ),
    like: call("PUT", `${path}/like`, declareSwitch("Like a post", likeState), async (request) =>
      likes.like(memberOf(request), request.params),
    ),
    unlike: call(
      "DELETE",
      `${path}/like`,
      declareSwitch("Unlike a post", likeState),
      async (request) => {
        return likes.unlike(memberOf(request), request.params);
      },
    ),
    save: call("PUT", `${path}/save`, declareSwitch("Save a post", saveState), async (request) =>
      bookmarks.save(memberOf(request), request.params),
    ),
    unsave: call(
      "DELETE",
      `${path}/save`,
      declareSwitch("Unsave a post", saveState),
      async (request) => bookmarks.unsave(memberOf(request), request.params),
    ),
  };
}
