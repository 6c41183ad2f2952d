import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { call } from "#server/api/declared-calls.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { accountSchema, pageOf } from "#shared/views.schemas.ts";

type Deps = { features: { blocks: Features["blocks"] } };

const params = z.object({ id: z.uuid().describe("the other account's id") });
const refusals = ["not-found", "self-block"] as const;
const tags = ["Blocks and mutes"];
const blocked = z.object({ blocked: z.boolean() });
const muted = z.object({ muted: z.boolean() });

const declareList = (summary: string) => ({
  config: { access: "member" as const },
  schema: {
    tags,
    summary,
    description: "Latest first, 30 a page. Only you can read it.",
    querystring: cursorQuery,
    response: { 200: pageOf(accountSchema) },
  },
});

/** A call that sets or lifts what stands between the caller and one account. */
const declareSwitch = <State extends z.ZodType>(
  state: State,
  summary: string,
  description?: string,
) => ({
  config: { access: "member" as const, refusals },
  schema: {
    tags,
    summary,
    ...(description ? { description } : {}),
    params,
    response: { 200: state },
  },
});

const block = declareSwitch(
  blocked,
  "Block an account",
  "Neither of you can see the other from now on, and you stop following each other. " +
    "An account that blocked you isn't found.",
);
const unblock = declareSwitch(
  blocked,
  "Unblock an account",
  "What was hidden comes back; follows don't.",
);
const mute = declareSwitch(
  muted,
  "Mute an account",
  "You won't see their posts in your feed or get notifications about them. They won't be notified.",
);
const unmute = declareSwitch(muted, "Unmute an account");

/** Whom the caller blocks and mutes. */
export function blockCalls({ features: { blocks } }: Deps) {
  return {
    blocked: call("GET", "/api/blocks", declareList("Accounts you blocked"), async (request) =>
      blocks.blocked(memberOf(request), request.query.cursor || null),
    ),
    block: call("PUT", "/api/blocks/:id", block, async (request) =>
      blocks.block(memberOf(request), request.params.id),
    ),
    unblock: call("DELETE", "/api/blocks/:id", unblock, async (request) =>
      blocks.unblock(memberOf(request), request.params.id),
    ),
    muted: call("GET", "/api/mutes", declareList("Accounts you muted"), async (request) =>
      blocks.muted(memberOf(request), request.query.cursor || null),
    ),
    mute: call("PUT", "/api/mutes/:id", mute, async (request) =>
      blocks.mute(memberOf(request), request.params.id),
    ),
    unmute: call("DELETE", "/api/mutes/:id", unmute, async (request) =>
      blocks.unmute(memberOf(request), request.params.id),
    ),
  };
}
