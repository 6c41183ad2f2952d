import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import {
  copyOf,
  emailAndPost,
  emailParams,
  ifMatch,
  tags,
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

type Deps = { features: Pick<Features, "changes"> };

const common: RefusalCode[] = ["not-found", "conflict", "precondition-failed"];
const { sentBytes: bodyLimit } = limits.documents;
const response = { 200: changeAnswer };

function access(...more: RefusalCode[]) {
  return { access: "member" as const, refusals: [...common, ...more] };
}

/** The writes of the specification's clients: whole lists, out of which one wish is read. */
export function documentedChangeRoutes({ features: { changes } }: Deps) {
  return async (app: Calls): Promise<void> => {
    app.put(
      "/api/users/:email",
      {
        bodyLimit,
        config: {
          ...access("not-yours", "self-follow"),
          addressesIn: ({ followingAccounts = [] }: FollowInput) => followingAccounts,
        },
        schema: {
          tags,
          summary: "Follow or unfollow",
          description:
            "On another account: `followerAccounts` with the caller in it, or not. On one's own: " +
            "`followingAccounts` with one more or one less. Either does it all, the other finds it done.",
          headers: ifMatch,
          params: emailParams,
          body: followInput,
          response,
        },
      },
      async (request) =>
        changes.follow(
          memberOf(request),
          request.params.email,
          request.body,
          copyOf(request.headers),
        ),
    );

    app.put(
      "/api/users/upload/:email",
      {
        bodyLimit,
        config: access(
          "not-yours",
          "post-empty",
          "picture-unknown",
          "storage-full",
          "newcomers-full",
        ),
        schema: {
          tags,
          summary: "Add a post, or delete one",
          description:
            "The post in the list that the server does not hold is added, whatever else is missing; " +
            "else the one that is missing is deleted.",
          headers: ifMatch,
          params: emailParams,
          body: uploadInput,
          response,
        },
      },
      async (request) =>
        changes.upload(
          memberOf(request),
          request.params.email,
          request.body,
          copyOf(request.headers),
        ),
    );

    app.put(
      "/api/users/edit/:id",
      {
        config: access("not-yours", "picture-unknown", "storage-full", "newcomers-full"),
        schema: {
          tags,
          summary: "Edit your profile",
          headers: ifMatch,
          params: z.object({ id: z.string() }),
          body: editUserInput,
          response,
        },
      },
      async (request) =>
        changes.edit(memberOf(request), request.params.id, request.body, copyOf(request.headers)),
    );

    app.put(
      "/api/post/update/:email",
      {
        bodyLimit,
        config: access("not-yours"),
        schema: {
          tags,
          summary: "Like or unlike a post of this author",
          headers: ifMatch,
          params: emailParams,
          body: likesInput,
          response,
        },
      },
      async (request) =>
        changes.like(
          memberOf(request),
          request.params.email,
          request.body,
          copyOf(request.headers),
        ),
    );

    app.put(
      "/api/bookMark/:email",
      {
        bodyLimit,
        config: {
          ...access("not-yours"),
          addressesIn: ({ bookMarks }: BookmarksInput) => bookMarks.map(({ author }) => author),
        },
        schema: {
          tags,
          summary: "Save or unsave a post",
          headers: ifMatch,
          params: emailParams,
          body: bookmarksInput,
          response,
        },
      },
      async (request) =>
        changes.bookmark(
          memberOf(request),
          request.params.email,
          request.body,
          copyOf(request.headers),
        ),
    );

    app.put(
      "/api/delete/bookMark/:email/:postId",
      {
        bodyLimit,
        config: { access: "member", refusals: ["not-found", "not-yours"] },
        schema: {
          tags,
          summary: "Remove a deleted post from everyone's saved posts",
          description:
            "For its author. A post's deletion does so already: this finds it done, and takes " +
            "nothing from anybody as long as the post is there.",
          params: emailAndPost,
          body: dropBookmarksInput,
          response,
        },
      },
      async (request) => {
        const { email, postId } = request.params;
        return changes.dropBookmarks(memberOf(request), email, postId);
      },
    );
  };
}
