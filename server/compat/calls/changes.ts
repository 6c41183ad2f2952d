import { z } from "zod";
import {
  preconditionOf,
  emailAndPost,
  emailParams,
  forMembers,
  ifMatch,
} from "#server/compat/calls/parameters.ts";
import {
  bookmarksInput,
  changeAnswer,
  dropBookmarksInput,
  editUserInput,
  followInput,
  likesInput,
  uploadInput,
} from "#shared/documents.inputs.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

const { sentBytes: bodyLimit } = limits.documents;
const refusals = ["not-found", "not-yours", "conflict", "precondition-failed"] as const;

/** A change of a document, which may name the copy it was made from. */
const change = { headers: ifMatch, response: { 200: changeAnswer } };
/** One whose body is a whole list. */
const listChange = { ...change, params: emailParams, bodyLimit };

type Asked<Body> = {
  viewer: Viewer;
  params: { email: string };
  body: Body;
  headers: z.output<typeof ifMatch>;
};

/** The caller, the document, what they sent, and the copy that they changed. */
const asked = <Body>({ viewer, params, body, headers }: Asked<Body>) =>
  [viewer, params.email, body, preconditionOf(headers)] as const;

/** The writes of the specification's clients: whole lists, from which one change is read. */
export const changeCalls = {
  follow: forMembers("PUT /api/users/:email", {
    ...listChange,
    refuses: [...refusals, "self-follow"],
    summary: "Follow or unfollow",
    description:
      "On another account: `followerAccounts` with the caller in it, or not. On one's own: " +
      "`followingAccounts` with one more or one less. Either does it all, the other finds it done.",
    body: followInput,
    addressesIn: ({ followingAccounts = [] }) => followingAccounts,
    handler: ({ changes }, request) => changes.follow(...asked(request)),
  }),
  upload: forMembers("PUT /api/users/upload/:email", {
    ...listChange,
    refuses: [...refusals, "post-empty", "picture-unknown", "storage-full", "newcomers-full"],
    summary: "Add a post, or delete one",
    description:
      "The post in the list that the server does not hold is added, whatever else is missing; " +
      "else the one that is missing is deleted.",
    body: uploadInput,
    handler: ({ changes }, request) => changes.upload(...asked(request)),
  }),
  edit: forMembers("PUT /api/users/edit/:id", {
    ...change,
    refuses: [...refusals, "picture-unknown", "storage-full", "newcomers-full"],
    summary: "Edit your profile",
    params: z.object({ id: z.string() }),
    body: editUserInput,
    handler: ({ changes }, { viewer, params, body, headers }) =>
      changes.edit(viewer, params.id, body, preconditionOf(headers)),
  }),
  like: forMembers("PUT /api/post/update/:email", {
    ...listChange,
    refuses: refusals,
    summary: "Like or unlike a post of this author",
    body: likesInput,
    handler: ({ changes }, request) => changes.like(...asked(request)),
  }),
  bookmark: forMembers("PUT /api/bookMark/:email", {
    ...listChange,
    refuses: refusals,
    summary: "Save or unsave a post",
    body: bookmarksInput,
    addressesIn: ({ bookMarks }) => bookMarks.map(({ author }) => author),
    handler: ({ changes }, request) => changes.bookmark(...asked(request)),
  }),
  dropBookmarks: forMembers("PUT /api/delete/bookMark/:email/:postId", {
    refuses: ["not-found", "not-yours"],
    summary: "Remove a deleted post from everyone's saved posts",
    description:
      "For its author. A post's deletion does so already: this finds it done, and takes " +
      "nothing from anybody as long as the post is there.",
    params: emailAndPost,
    body: dropBookmarksInput,
    bodyLimit,
    response: change.response,
    handler: ({ changes }, { viewer, params: { email, postId } }) =>
      changes.dropBookmarks(viewer, email, postId),
  }),
};
