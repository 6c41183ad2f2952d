import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter, noContent } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { address, pagesOf } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { countsSchema, listedAccountSchema } from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "follows" | "followRequests"> };

const { forMembers } = chapter("Accounts");
const path = "/api/accounts/:address/follow";
const toggle = (summary: string, description: string) =>
  forMembers(["not-found", "self-follow"], {
    summary,
    description,
    params: z.object({ address }),
    response: {
      200: z.object({
        following: z.boolean(),
        requested: z.boolean().describe("the account is private, and was asked"),
        counts: countsSchema.describe("of that account"),
      }),
    },
  });

const follower = z.object({ follower: z.boolean().describe("the account follows you") });

const requestsPath = "/api/follow-requests";
const answered = (summary: string, description?: string) =>
  forMembers(["not-found"], {
    summary,
    ...(description && { description }),
    params: z.object({ id: z.uuid().describe("the id of the account that asked") }),
    response: { 200: follower },
  });
const allAnswered = (summary: string) =>
  forMembers([], {
    summary,
    description: "Those who asked until now; where they are many, the rest soon after the answer.",
    response: noContent,
  });

const declared = {
  follow: toggle("Follow an account", "A private account is asked, and answers when it likes."),
  unfollow: toggle("Stop following an account", "Withdraws a request, too."),
  removeFollower: forMembers(["not-found", "self-follow"], {
    summary: "Remove a follower",
    description: "It isn't notified, and can follow you again, or ask to where you're private.",
    params: z.object({ address }),
    response: { 200: follower },
  }),
  requests: forMembers([], {
    summary: "Accounts that asked to follow you",
    description: "Latest first, 30 a page. Only you can read it.",
    ...pagesOf(listedAccountSchema),
  }),
  accept: answered("Accept a request to follow you", "Not found where it was withdrawn."),
  refuse: answered("Refuse a request to follow you", "Who asked isn't notified."),
  acceptAll: allAnswered("Accept all requests to follow you"),
  refuseAll: allAnswered("Refuse all requests to follow you"),
};

/** Following an account and no longer; sent again, neither changes anything. Answering who asks to. */
export function followCalls({ features: { follows, followRequests } }: Deps) {
  return {
    follow: call("PUT", path, declared.follow, async (request) =>
      follows.follow(memberOf(request), request.params),
    ),
    unfollow: call("DELETE", path, declared.unfollow, async (request) =>
      follows.unfollow(memberOf(request), request.params),
    ),
    removeFollower: call(
      "DELETE",
      "/api/accounts/:address/follower",
      declared.removeFollower,
      async (request) => follows.removeFollower(memberOf(request), request.params),
    ),
    requests: call("GET", requestsPath, declared.requests, async (request) =>
      followRequests.list(memberOf(request), request.query.cursor || null),
    ),
    accept: call("PUT", `${requestsPath}/:id`, declared.accept, async (request) =>
      followRequests.accept(memberOf(request), request.params.id),
    ),
    refuse: call("DELETE", `${requestsPath}/:id`, declared.refuse, async (request) =>
      followRequests.refuse(memberOf(request), request.params.id),
    ),
    acceptAll: call("PUT", requestsPath, declared.acceptAll, async (request, reply) => {
      await followRequests.acceptAll(memberOf(request));
      reply.status(204);
    }),
    refuseAll: call("DELETE", requestsPath, declared.refuseAll, async (request, reply) => {
      await followRequests.refuseAll(memberOf(request));
      reply.status(204);
    }),
  };
}
