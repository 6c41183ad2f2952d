import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { call } from "#server/api/declared-calls.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";

type Deps = { features: Pick<Features, "privacy" | "closeFriends"> };

/** In no document: no program has them. */
const hidden = <const Schema extends object>(schema: Schema) => ({
  config: { access: "member" as const },
  schema: { hide: true as const, ...schema },
});

const privacySchema = hidden({ response: { 200: z.object({ private: z.boolean() }) } });
const friends = "/calls/close-friends";
type Candidates = Awaited<ReturnType<Features["closeFriends"]["list"]>>;
const listSchema = hidden({
  querystring: cursorQuery.extend({ q: z.string().max(1000).default("") }),
  response: { 200: z.custom<Candidates>() },
});
const friendSchema = hidden({
  params: z.object({ id: z.uuid() }),
  response: { 200: z.object({ close: z.boolean() }) },
});

/** Whether the caller's account is private, and who its close friends are. */
export function privacyCalls({ features: { privacy, closeFriends } }: Deps) {
  return {
    makePrivate: call("PUT", "/calls/private", privacySchema, async (request) =>
      privacy.set(memberOf(request), true),
    ),
    makePublic: call("DELETE", "/calls/private", privacySchema, async (request) =>
      privacy.set(memberOf(request), false),
    ),
    closeFriends: call("GET", friends, listSchema, async (request) =>
      closeFriends.list(memberOf(request), request.query.q, request.query.cursor || null),
    ),
    addCloseFriend: call("PUT", `${friends}/:id`, friendSchema, async (request) =>
      closeFriends.put(memberOf(request), request.params.id),
    ),
    removeCloseFriend: call("DELETE", `${friends}/:id`, friendSchema, async (request) =>
      closeFriends.remove(memberOf(request), request.params.id),
    ),
  };
}
