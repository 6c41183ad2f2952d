import { z } from "zod";
import { noContent } from "#server/api/declare.ts";
import { callsOf } from "#server/api/declared-calls.ts";
import { answerOnce, takesKey } from "#server/api/idempotent.ts";
import { pagesOf, postParams } from "#server/api/parameters.ts";
import { found } from "#shared/errors.ts";
import { choices, editedChoices, editInput, publishInput } from "#shared/posts.inputs.ts";
import {
  earlierVersionSchema,
  feedPostSchema,
  listedAccountSchema,
  postDetailsSchema,
} from "#shared/views.schemas.ts";

const { forAnybody, forMembers } = callsOf("Posts");
const path = "/api/posts/:address/:number";
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

/** Sets or withdraws something; sent again, it changes nothing. */
const toggle = <State extends z.ZodType>(summary: string, state: State) => ({
  refuses: ["not-found"] as const,
  summary,
  params: postParams,
  response: { 200: state },
});

/** Posts, and what a member does with one: like and save, each set or withdrawn. */
export const postCalls = {
  get: forAnybody(`GET ${path}`, {
    refuses: ["not-found"],
    summary: "One post",
    params: postParams,
    response: { 200: feedPostSchema },
    handler: async ({ posts }, { viewer, params: { address, number } }) =>
      found(await posts.get(viewer, address, number)),
  }),
  publish: forMembers("POST /api/posts", {
    refuses: ["post-empty", "picture-unknown", "key-reused"],
    summary: "Publish a post",
    description: "Words, pictures or both.",
    ...takesKey,
    body: newPost,
    response: { 201: feedPostSchema },
    handler: (features, request, reply) =>
      answerOnce(features, request, reply, async () => {
        const { caption = "", pictures = [], timeZone = "UTC", ...chosen } = request.body;
        const wanted = { caption, pictures, timeZone, clientKey: null, ...chosen };
        return { status: 201, body: await features.posts.publishShown(request.viewer, wanted) };
      }),
  }),
  edit: forMembers(`PATCH ${path}`, {
    refuses: ["not-found", "not-yours", "post-empty", "picture-unknown", "post-changed"],
    summary: "Edit one of your posts",
    description:
      "Its words, its warning, its pictures, their order and descriptions, who may comment; it keeps its likes, " +
      "comments and bookmarks. It is marked as edited (`editedAt`), unless only descriptions changed, who may " +
      "comment or whether its pictures are veiled. " +
      "Sent again, it changes nothing.",
    params: postParams,
    body: edit,
    response: { 200: feedPostSchema },
    handler: async ({ posts }, { viewer, params, body }) => {
      const { address, number } = params;
      await posts.edit(viewer, address, number, body);
      return found(await posts.get(viewer, address, number));
    },
  }),
  details: forAnybody(`GET ${path}/details`, {
    refuses: ["not-found"],
    summary: "How and where the photos of a post were taken",
    description: "As far as the author shows it; no photos where they show neither.",
    params: postParams,
    response: { 200: postDetailsSchema },
    handler: async ({ posts }, { viewer, params }) =>
      found(await posts.details(viewer, params.address, params.number)),
  }),
  versions: forMembers(`GET ${path}/versions`, {
    refuses: ["not-found", "not-yours"],
    summary: "What one of your posts said before its edits",
    description: "Newest first; the newest 20 are kept. For its author alone.",
    params: postParams,
    response: { 200: z.object({ items: z.array(earlierVersionSchema) }) },
    handler: async ({ posts }, { viewer, params: { address, number } }) => ({
      items: await posts.earlierVersions(viewer, address, number),
    }),
  }),
  remove: forMembers(`DELETE ${path}`, {
    refuses: ["not-found", "not-yours"],
    summary: "Delete one of your posts",
    description: "Also deletes its comments, likes, pictures and everyone's bookmarks of it.",
    params: postParams,
    response: noContent,
    handler: ({ posts }, { viewer, params }) => posts.remove(viewer, params.address, params.number),
  }),
  likedBy: forAnybody(`GET ${path}/likes`, {
    refuses: ["not-found"],
    summary: "Who likes a post",
    description: "Newest first, 30 a page.",
    params: postParams,
    ...pagesOf(listedAccountSchema),
    handler: async ({ posts, likes }, { viewer, params, query }) => {
      const ref = await posts.refAt(viewer, params.address, params.number);
      return likes.list(viewer, ref, query.cursor);
    },
  }),
  like: forMembers(`PUT ${path}/like`, {
    ...toggle("Like a post", likeState),
    handler: ({ likes }, { viewer, params }) => likes.like(viewer, params),
  }),
  unlike: forMembers(`DELETE ${path}/like`, {
    ...toggle("Unlike a post", likeState),
    handler: ({ likes }, { viewer, params }) => likes.unlike(viewer, params),
  }),
  save: forMembers(`PUT ${path}/save`, {
    ...toggle("Save a post", saveState),
    handler: ({ bookmarks }, { viewer, params }) => bookmarks.save(viewer, params),
  }),
  unsave: forMembers(`DELETE ${path}/save`, {
    ...toggle("Unsave a post", saveState),
    handler: ({ bookmarks }, { viewer, params }) => bookmarks.unsave(viewer, params),
  }),
};
