import { z } from "zod";
import { noContent } from "#server/api/declare.ts";
import { callsOf } from "#server/api/declared-calls.ts";
import { address, pagesOf } from "#server/api/parameters.ts";
import { countsSchema, listedAccountSchema } from "#shared/views.schemas.ts";

const { forMembers } = callsOf("Accounts");
const path = "/api/accounts/:address/follow";
const toggle = {
  refuses: ["not-found", "self-follow"],
  params: z.object({ address }),
  response: {
    200: z.object({
      following: z.boolean(),
      requested: z.boolean().describe("the account is private, and was asked"),
      counts: countsSchema.describe("of that account"),
    }),
  },
} as const;

const follower = z.object({ follower: z.boolean().describe("the account follows you") });

const requestsPath = "/api/follow-requests";
const answered = {
  refuses: ["not-found"],
  params: z.object({ id: z.uuid().describe("the id of the account that asked") }),
  response: { 200: follower },
} as const;
const allAnswered = {
  description: "Those who asked until now; where they are many, the rest soon after the answer.",
  response: noContent,
};

/** Following an account and no longer; sent again, neither changes anything. Answering who asks to. */
export const followCalls = {
  follow: forMembers(`PUT ${path}`, {
    ...toggle,
    summary: "Follow an account",
    description: "A private account is asked, and answers when it likes.",
    handler: ({ follows }, { viewer, params }) => follows.follow(viewer, params),
  }),
  unfollow: forMembers(`DELETE ${path}`, {
    ...toggle,
    summary: "Stop following an account",
    description: "Withdraws a request, too.",
    handler: ({ follows }, { viewer, params }) => follows.unfollow(viewer, params),
  }),
  removeFollower: forMembers("DELETE /api/accounts/:address/follower", {
    refuses: ["not-found", "self-follow"],
    summary: "Remove a follower",
    description: "It isn't notified, and can follow you again, or ask to where you're private.",
    params: z.object({ address }),
    response: { 200: follower },
    handler: ({ follows }, { viewer, params }) => follows.removeFollower(viewer, params),
  }),
  requests: forMembers(`GET ${requestsPath}`, {
    summary: "Accounts that asked to follow you",
    description: "Latest first, 30 a page. Only you can read it.",
    ...pagesOf(listedAccountSchema),
    handler: ({ followRequests }, { viewer, query }) => followRequests.list(viewer, query.cursor),
  }),
  accept: forMembers(`PUT ${requestsPath}/:id`, {
    ...answered,
    summary: "Accept a request to follow you",
    description: "Not found where it was withdrawn.",
    handler: ({ followRequests }, { viewer, params }) => followRequests.accept(viewer, params.id),
  }),
  refuse: forMembers(`DELETE ${requestsPath}/:id`, {
    ...answered,
    summary: "Refuse a request to follow you",
    description: "Who asked isn't notified.",
    handler: ({ followRequests }, { viewer, params }) => followRequests.refuse(viewer, params.id),
  }),
  acceptAll: forMembers(`PUT ${requestsPath}`, {
    ...allAnswered,
    summary: "Accept all requests to follow you",
    handler: async ({ followRequests }, { viewer }, reply) => {
      await followRequests.acceptAll(viewer);
      reply.status(204);
    },
  }),
  refuseAll: forMembers(`DELETE ${requestsPath}`, {
    ...allAnswered,
    summary: "Refuse all requests to follow you",
    handler: async ({ followRequests }, { viewer }, reply) => {
      await followRequests.refuseAll(viewer);
      reply.status(204);
    },
  }),
};
