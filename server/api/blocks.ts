import { z } from "zod";
import { callsOf } from "#server/api/declared-calls.ts";
import { pagesOf } from "#server/api/parameters.ts";
import { hiddenAccountSchema } from "#shared/views.schemas.ts";

const { forMembers } = callsOf("Blocks and mutes");
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

const list = (summary: string) => ({
  summary,
  description: "Latest first, 30 a page. Only you can read it.",
  ...pagesOf(hiddenAccountSchema),
});

/** Sets or lifts a block or a mute between the caller and one account. */
const toggle = <State extends z.ZodType>(state: State, summary: string) => ({
  refuses: ["not-found", "self-block"] as const,
  summary,
  params,
  response: { 200: state },
});

/** The accounts the caller blocks and mutes. */
export const blockCalls = {
  blocked: forMembers("GET /api/blocks", {
    ...list("Accounts you blocked"),
    handler: ({ blocks }, { viewer, query }) => blocks.blocked(viewer, query.cursor),
  }),
  block: forMembers("PUT /api/blocks/:id", {
    ...toggle(blocked, "Block an account"),
    description:
      "Neither of you can see the other from now on, and you stop following each other. " +
      "An account that blocked you isn't found.",
    handler: ({ blocks }, { viewer, params }) => blocks.block(viewer, params.id),
  }),
  unblock: forMembers("DELETE /api/blocks/:id", {
    ...toggle(blocked, "Unblock an account"),
    description: "What was hidden comes back; follows don't.",
    handler: ({ blocks }, { viewer, params }) => blocks.unblock(viewer, params.id),
  }),
  muted: forMembers("GET /api/mutes", {
    ...list("Accounts you muted"),
    handler: ({ blocks }, { viewer, query }) => blocks.muted(viewer, query.cursor),
  }),
  mute: forMembers("PUT /api/mutes/:id", {
    ...toggle(muted, "Mute an account"),
    description:
      "You won't see their posts in your feed or get notifications about them. They won't be notified. " +
      "Sent again, its end changes.",
    querystring: z.object({ seconds }),
    handler: ({ blocks }, { viewer, params, query }) =>
      blocks.mute(viewer, params.id, query.seconds || null),
  }),
  unmute: forMembers("DELETE /api/mutes/:id", {
    ...toggle(muted, "Unmute an account"),
    handler: ({ blocks }, { viewer, params }) => blocks.unmute(viewer, params.id),
  }),
};
