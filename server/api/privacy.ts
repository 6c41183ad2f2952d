import { z } from "zod";
import { internalCalls } from "#server/api/declared-calls.ts";
import { cursorQuery } from "#server/api/parameters.ts";

const { forMembers } = internalCalls;
const friend = z.object({ id: z.uuid() });

/** Whether the caller's account is private, and who its close friends are. */
export const privacyCalls = {
  makePrivate: forMembers("PUT /calls/private", {
    handler: ({ privacy }, { viewer }) => privacy.set(viewer, true),
  }),
  makePublic: forMembers("DELETE /calls/private", {
    handler: ({ privacy }, { viewer }) => privacy.set(viewer, false),
  }),
  closeFriends: forMembers("GET /calls/close-friends", {
    querystring: cursorQuery.extend({ q: z.string().max(1000).default("") }),
    handler: ({ closeFriends }, { viewer, query }) =>
      closeFriends.list(viewer, query.q, query.cursor),
  }),
  addCloseFriend: forMembers("PUT /calls/close-friends/:id", {
    params: friend,
    handler: ({ closeFriends }, { viewer, params }) => closeFriends.put(viewer, params.id),
  }),
  removeCloseFriend: forMembers("DELETE /calls/close-friends/:id", {
    params: friend,
    handler: ({ closeFriends }, { viewer, params }) => closeFriends.remove(viewer, params.id),
  }),
};
