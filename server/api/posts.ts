import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter, noContent } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { answerOnce, takesKey } from "#server/api/idempotent.ts";
import { pagesOf, postParams } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { found } from "#shared/errors.ts";
import { choices, editedChoices, editInput, publishInput } from "#shared/posts.inputs.ts";
import {
  earlierVersionSchema,
  feedPostSchema,
  listedAccountSchema,
  postDetailsSchema,
} from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "posts" | "likes" | "bookmarks" | "idempotency"> };

const { forAnybody, forMembers } = chapter("Posts");
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
const toggle = <State extends z.ZodType>(summary: string, state: State) =>
  forMembers(["not-found"], { summary, params: postParams, response: { 200: state } });

const declared = {
  get: forAnybody(["not-found"], {
    summary: "One post",
    params: postParams,
    response: { 200: feedPostSchema },
  }),
  publish: forMembers(["post-empty", "picture-unknown", "key-reused"], {
    summary: "Publish a post",
    description: "Words, pictures or both.",
    ...takesKey,
    body: newPost,
    response: { 201: feedPostSchema },
  }),
  edit: forMembers(["not-found", "not-yours", "post-empty", "picture-unknown", "post-changed"], {
    summary: "Edit one of your posts",
    description:
      "Its words, its warning, its pictures, their order and descriptions, who may comment; it keeps its likes, " +
      "comments and bookmarks. It is marked as edited (`editedAt`), unless only descriptions changed, who may " +
      "comment or whether its pictures are veiled. " +
      "Sent again, it changes nothing.",
    params: postParams,
    body: edit,
    response: { 200: feedPostSchema },
  }),
  details: forAnybody(["not-found"], {
    summary: "How and where the photos of a post were taken",
    description: "As far as the author shows it; no photos where they show neither.",
    params: postParams,
    response: { 200: postDetailsSchema },
  }),
  versions: forMembers(["not-found", "not-yours"], {
    summary: "What one of your posts said before its edits",
    description: "Newest first; the newest 20 are kept. For its author alone.",
    params: postParams,
    response: { 200: z.object({ items: z.array(earlierVersionSchema) }) },
  }),
  remove: forMembers(["not-found", "not-yours"], {
    summary: "Delete one of your posts",
    description: "Also deletes its comments, likes, pictures and everyone's bookmarks of it.",
    params: postParams,
    response: noContent,
  }),
  likedBy: forAnybody(["not-found"], {
    summary: "Who likes a post",
    description: "Newest first, 30 a page.",
    params: postParams,
    ...pagesOf(listedAccountSchema),
  }),
  like: toggle("Like a post", likeState),
  unlike: toggle("Unlike a post", likeState),
  save: toggle("Save a post", saveState),
  unsave: toggle("Unsave a post", saveState),
};

/** Posts, and what a member does with one: like and save, each set or withdrawn. */
export function postCalls({ features }: Deps) {
  const { posts, likes, bookmarks } = features;
  return {
    get: call("GET", path, declared.get, async ({ viewer, params: { address, number } }) =>
      found(await posts.get(viewer, address, number)),
    ),
    publish: call("POST", "/api/posts", declared.publish, (request, reply) =>
      answerOnce(features, request, reply, async () => {
        const { caption = "", pictures = [], timeZone = "UTC", ...chosen } = request.body;
        const wanted = { caption, pictures, timeZone, clientKey: null, ...chosen };
        return { status: 201, body: await posts.publishShown(memberOf(request), wanted) };
      }),
    ),
    edit: call("PATCH", path, declared.edit, async (request) => {
      const viewer = memberOf(request);
      const { address, number } = request.params;
      await posts.edit(viewer, address, number, request.body);
      return found(await posts.get(viewer, address, number));
    }),
    details: call("GET", `${path}/details`, declared.details, async ({ viewer, params }) =>
      found(await posts.details(viewer, params.address, params.number)),
    ),
    versions: call("GET", `${path}/versions`, declared.versions, async (request) => {
      const { address, number } = request.params;
      return { items: await posts.earlierVersions(memberOf(request), address, number) };
    }),
    remove: call("DELETE", path, declared.remove, async (request) =>
      posts.remove(memberOf(request), request.params.address, request.params.number),
    ),
    likedBy: call("GET", `${path}/likes`, declared.likedBy, async ({ viewer, params, query }) => {
      const ref = await posts.refAt(viewer, params.address, params.number);
      return likes.list(viewer, ref, query.cursor || null);
    }),
    like: call("PUT", `${path}/like`, declared.like, async (request) =>
      likes.like(memberOf(request), request.params),
    ),
    unlike: call("DELETE", `${path}/like`, declared.unlike, async (request) =>
      likes.unlike(memberOf(request), request.params),
    ),
    save: call("PUT", `${path}/save`, declared.save, async (request) =>
      bookmarks.save(memberOf(request), request.params),
    ),
    unsave: call("DELETE", `${path}/save`, declared.unsave, async (request) =>
      bookmarks.unsave(memberOf(request), request.params),
    ),
  };
}
