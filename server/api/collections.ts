import { z } from "zod";
import { noContent } from "#server/api/declare.ts";
import { callsOf } from "#server/api/declared-calls.ts";
import { pagesOf, postParams } from "#server/api/parameters.ts";
import {
  collectionChangeInput,
  collectionEditInput,
  collectionsOfPostInput,
  newCollectionInput,
} from "#shared/collections.inputs.ts";
import { found } from "#shared/errors.ts";
import { collectionSchema } from "#shared/bookmarks.schemas.ts";
import { postViewSchema } from "#shared/views.schemas.ts";

const { forMembers } = callsOf("Posts");
const path = "/api/saved/collections";
const params = z.object({ id: z.string().max(64).describe("the collection's id") });

/** The caller's collections of what they saved. */
export const collectionCalls = {
  list: forMembers(`GET ${path}`, {
    summary: "Your collections of saved posts",
    description: "All of them, newest first. Only you can read them.",
    response: { 200: z.object({ items: z.array(collectionSchema) }) },
    handler: async ({ collections }, { viewer }) => ({
      items: await collections.list(viewer),
    }),
  }),
  create: forMembers(`POST ${path}`, {
    refuses: ["collections-full"],
    summary: "Make a collection of saved posts",
    body: newCollectionInput,
    response: { 201: collectionSchema },
    handler: ({ collections }, { viewer, body }) => collections.create(viewer, body),
  }),
  edit: forMembers(`PATCH ${path}/:id`, {
    refuses: ["not-found"],
    summary: "Rename one of your collections",
    params,
    body: collectionEditInput,
    response: { 200: collectionSchema },
    handler: ({ collections }, { viewer, params, body }) =>
      collections.edit(viewer, params.id, body),
  }),
  remove: forMembers(`DELETE ${path}/:id`, {
    refuses: ["not-found"],
    summary: "Delete one of your collections",
    description: "Its posts stay saved.",
    params,
    response: noContent,
    handler: ({ collections }, { viewer, params }) => collections.remove(viewer, params.id),
  }),
  posts: forMembers(`GET ${path}/:id/posts`, {
    refuses: ["not-found"],
    summary: "The posts in one of your collections",
    description: "Latest added first, as far as you may see them.",
    params,
    ...pagesOf(postViewSchema),
    handler: async ({ collections }, { viewer, params, query }) => {
      await collections.get(viewer, params.id);
      return collections.posts(viewer, params.id, query.cursor);
    },
  }),
  change: forMembers(`PATCH ${path}/:id/posts`, {
    refuses: ["not-found", "collection-full"],
    summary: "Put saved posts into one of your collections, or take some out",
    params,
    body: collectionChangeInput,
    response: noContent,
    handler: ({ collections }, { viewer, params, body }) =>
      collections.change(viewer, params.id, body),
  }),
  setOfPost: forMembers("PUT /api/posts/:address/:number/collections", {
    refuses: ["not-found", "collections-full", "collection-full"],
    summary: "Choose the collections that a post is in",
    description: "Saves the post, too. With a `title` it is also in a new collection of that name.",
    params: postParams,
    body: collectionsOfPostInput,
    response: { 200: z.object({ collections: z.array(z.uuid()) }) },
    handler: async ({ collections, posts }, { viewer, params, body }) => {
      const post = found(await posts.refAt(viewer, params.address, params.number));
      return { collections: await collections.setOfPost(viewer, post, body) };
    },
  }),
};
