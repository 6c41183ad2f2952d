import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { pagesOf } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { hiddenAccountSchema } from "#shared/views.schemas.ts";

type Deps = { features: { blocks: Features["blocks"] } };

const { forMembers } = chapter("Blocks and mutes");
const params = z.object({ id: z.uuid().describe("the other account's id") });
const blocked = z.object({ blocked: z.boolean() });
const muted = z.object({ muted: z.boolean() });
const seconds = z.coerce
  .number()
  .int()
  .min(0)
  .optional()
  .describe(
    "after how many it ends by itself, a year at most; 0, empty or none: when it is lifted",
  );

const list = (summary: string) =>
  forMembers([], {
    summary,
    description: "Latest first, 30 a page. Only you can read it.",
    ...pagesOf(hiddenAccountSchema),
  });

/** Sets or lifts a block or a mute between the caller and one account. */
const toggle = <State extends z.ZodType>(state: State, summary: string, description?: string) =>
  forMembers(["not-found", "self-block"], {
    summary,
    ...(description && { description }),
    params,
    response: { 200: state },
  });

const declared = {
  blocked: list("Accounts you blocked"),
  block: toggle(
    blocked,
    "Block an account",
    "Neither of you can see the other from now on, and you stop following each other. " +
      "An account that blocked you isn't found.",
  ),
  unblock: toggle(blocked, "Unblock an account", "What was hidden comes back; follows don't."),
  muted: list("Accounts you muted"),
  mute: forMembers(["not-found", "self-block"], {
    summary: "Mute an account",
    description:
      "You won't see their posts in your feed or get notifications about them. They won't be notified. " +
      "Sent again, its end changes.",
    params,
    querystring: z.object({ seconds }),
    response: { 200: muted },
  }),
  unmute: toggle(muted, "Unmute an account"),
};

/** The accounts the caller blocks and mutes. */
export function blockCalls({ features: { blocks } }: Deps) {
  return {
    blocked: call("GET", "/api/blocks", declared.blocked, async (request) =>
      blocks.blocked(memberOf(request), request.query.cursor || null),
    ),
    block: call("PUT", "/api/blocks/:id", declared.block, async (request) =>
      blocks.block(memberOf(request), request.params.id),
    ),
    unblock: call("DELETE", "/api/blocks/:id", declared.unblock, async (request) =>
      blocks.unblock(memberOf(request), request.params.id),
    ),
    muted: call("GET", "/api/mutes", declared.muted, async (request) =>
      blocks.muted(memberOf(request), request.query.cursor || null),
    ),
    mute: call("PUT", "/api/mutes/:id", declared.mute, async (request) =>
      blocks.mute(memberOf(request), request.params.id, request.query.seconds || null),
    ),
    unmute: call("DELETE", "/api/mutes/:id", declared.unmute, async (request) =>
      blocks.unmute(memberOf(request), request.params.id),
    ),
  };
}
