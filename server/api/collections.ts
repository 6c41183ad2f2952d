import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter, noContent } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { pagesOf, postParams } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import {
  collectionChangeInput,
  collectionEditInput,
  collectionsOfPostInput,
  newCollectionInput,
} from "#shared/collections.inputs.ts";
import { found } from "#shared/errors.ts";
import { collectionSchema, postViewSchema } from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "collections" | "posts"> };

const { forMembers } = chapter("Posts");
const path = "/api/saved/collections";
const params = z.object({ id: z.string().max(64).describe("the collection's id") });

const declared = {
  list: forMembers([], {
    summary: "Your collections of saved posts",
    description: "All of them, newest first. Only you can read them.",
    response: { 200: z.object({ items: z.array(collectionSchema) }) },
  }),
  create: forMembers(["collections-full"], {
    summary: "Make a collection of saved posts",
    body: newCollectionInput,
    response: { 201: collectionSchema },
  }),
  edit: forMembers(["not-found"], {
    summary: "Rename one of your collections",
    params,
    body: collectionEditInput,
    response: { 200: collectionSchema },
  }),
  remove: forMembers(["not-found"], {
    summary: "Delete one of your collections",
    description: "Its posts stay saved.",
    params,
    response: noContent,
  }),
  posts: forMembers(["not-found"], {
    summary: "The posts in one of your collections",
    description: "Latest added first, as far as you may see them.",
    params,
    ...pagesOf(postViewSchema),
  }),
  change: forMembers(["not-found", "collection-full"], {
    summary: "Put saved posts into one of your collections, or take some out",
    params,
    body: collectionChangeInput,
    response: noContent,
  }),
  setOfPost: forMembers(["not-found", "collections-full", "collection-full"], {
    summary: "Choose the collections that a post is in",
    description: "Saves the post, too. With a `title` it is also in a new collection of that name.",
    params: postParams,
    body: collectionsOfPostInput,
    response: { 200: z.object({ collections: z.array(z.uuid()) }) },
  }),
};

/** The caller's collections of what they saved. */
export function collectionCalls({ features: { collections, posts } }: Deps) {
  return {
    list: call("GET", path, declared.list, async (request) => ({
      items: await collections.list(memberOf(request)),
    })),
    create: call("POST", path, declared.create, async (request) =>
      collections.create(memberOf(request), request.body),
    ),
    edit: call("PATCH", `${path}/:id`, declared.edit, async (request) =>
      collections.edit(memberOf(request), request.params.id, request.body),
    ),
    remove: call("DELETE", `${path}/:id`, declared.remove, async (request) =>
      collections.remove(memberOf(request), request.params.id),
    ),
    posts: call("GET", `${path}/:id/posts`, declared.posts, async (request) => {
      const [member, { id }] = [memberOf(request), request.params];
      await collections.get(member, id);
      return collections.posts(member, id, request.query.cursor || null);
    }),
    change: call("PATCH", `${path}/:id/posts`, declared.change, async (request) =>
      collections.change(memberOf(request), request.params.id, request.body),
    ),
    setOfPost: call(
      "PUT",
      "/api/posts/:address/:number/collections",
      declared.setOfPost,
      async (request) => {
        const { address, number } = request.params;
        const member = memberOf(request);
        const post = found(await posts.refAt(member, address, number));
        return { collections: await collections.setOfPost(member, post, request.body) };
      },
    ),
  };
}
