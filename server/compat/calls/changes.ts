import type { FastifyContextConfig } from "fastify";
import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import type { CallSchema } from "#server/api/declared-calls.ts";
import {
  preconditionOf,
  emailAndPost,
  emailParams,
  forMembers,
  ifMatch,
} from "#server/compat/calls/parameters.ts";
import type { Features } from "#server/features/index.ts";
import {
  bookmarksInput,
  changeAnswer,
  dropBookmarksInput,
  editUserInput,
  followInput,
  likesInput,
  uploadInput,
  type BookmarksInput,
  type FollowInput,
} from "#shared/documents.inputs.ts";
import type { RefusalCode } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = { features: Pick<Features, "changes"> };

const { sentBytes: bodyLimit } = limits.documents;
const response = { 200: changeAnswer };

/** A change of a document, which may name the copy it was made from. */
const change = <const Schema extends Omit<CallSchema, "response">>(
  refusals: readonly RefusalCode[],
  schema: Schema,
) =>
  forMembers(["not-found", "conflict", "precondition-failed", ...refusals], {
    headers: ifMatch,
    response,
    ...schema,
  });

/** A change whose body is a whole list, with the addresses of others in it. */
const listChange = <const Schema extends Omit<CallSchema, "response">>(
  refusals: readonly RefusalCode[],
  schema: Schema,
  addressesIn?: FastifyContextConfig["addressesIn"],
) => {
  const { config, ...declared } = change(refusals, schema);
  return { bodyLimit, ...declared, config: { ...config, ...(addressesIn && { addressesIn }) } };
};

const declared = {
  follow: listChange(
    ["not-yours", "self-follow"],
    {
      summary: "Follow or unfollow",
      description:
        "On another account: `followerAccounts` with the caller in it, or not. On one's own: " +
        "`followingAccounts` with one more or one less. Either does it all, the other finds it done.",
      params: emailParams,
      body: followInput,
    },
    ({ followingAccounts = [] }: FollowInput) => followingAccounts,
  ),
  upload: listChange(
    ["not-yours", "post-empty", "picture-unknown", "storage-full", "newcomers-full"],
    {
      summary: "Add a post, or delete one",
      description:
        "The post in the list that the server does not hold is added, whatever else is missing; " +
        "else the one that is missing is deleted.",
      params: emailParams,
      body: uploadInput,
    },
  ),
  edit: change(["not-yours", "picture-unknown", "storage-full", "newcomers-full"], {
    summary: "Edit your profile",
    params: z.object({ id: z.string() }),
    body: editUserInput,
  }),
  like: listChange(["not-yours"], {
    summary: "Like or unlike a post of this author",
    params: emailParams,
    body: likesInput,
  }),
  bookmark: listChange(
    ["not-yours"],
    { summary: "Save or unsave a post", params: emailParams, body: bookmarksInput },
    ({ bookMarks }: BookmarksInput) => bookMarks.map(({ author }) => author),
  ),
  dropBookmarks: {
    bodyLimit,
    ...forMembers(["not-found", "not-yours"], {
      summary: "Remove a deleted post from everyone's saved posts",
      description:
        "For its author. A post's deletion does so already: this finds it done, and takes " +
        "nothing from anybody as long as the post is there.",
      params: emailAndPost,
      body: dropBookmarksInput,
      response,
    }),
  },
};

type Asked<Body> = {
  viewer: Viewer | null;
  params: { email: string };
  body: Body;
  headers: z.output<typeof ifMatch>;
};

/** The caller, the document, what they sent, and the copy that they changed. */
const asked = <Body>({ viewer, params, body, headers }: Asked<Body>) =>
  [memberOf({ viewer }), params.email, body, preconditionOf(headers)] as const;

/** The writes of the specification's clients: whole lists, from which one change is read. */
export function documentedChangeRoutes({ features: { changes } }: Deps) {
  return async (app: Calls): Promise<void> => {
    app.put("/api/users/:email", declared.follow, async (request) =>
      changes.follow(...asked(request)),
    );
    app.put("/api/users/upload/:email", declared.upload, async (request) =>
      changes.upload(...asked(request)),
    );
    app.put("/api/users/edit/:id", declared.edit, async ({ viewer, params, body, headers }) =>
      changes.edit(memberOf({ viewer }), params.id, body, preconditionOf(headers)),
    );
    app.put("/api/post/update/:email", declared.like, async (request) =>
      changes.like(...asked(request)),
    );
    app.put("/api/bookMark/:email", declared.bookmark, async (request) =>
      changes.bookmark(...asked(request)),
    );
    app.put("/api/delete/bookMark/:email/:postId", declared.dropBookmarks, async (request) => {
      const { email, postId } = request.params;
      return changes.dropBookmarks(memberOf(request), email, postId);
    });
  };
}
