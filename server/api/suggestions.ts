import { z } from "zod";
import { callsOf } from "#server/api/declared-calls.ts";
import { limits } from "#shared/limits.ts";
import { suggestedAccountSchema } from "#shared/views.schemas.ts";

const { forMembers } = callsOf("Accounts");
const { suggestions: most } = limits;

/** Accounts the caller may want to follow. */
export const suggestionCalls = {
  list: forMembers("GET /api/suggestions", {
    summary: "People to follow",
    description:
      "Accounts that posted something and that you don't follow, the best first: those followed " +
      "by people you follow, then your followers, then who posted photos or joined lately.",
    querystring: z.object({
      limit: z.coerce.number().int().min(1).max(most).optional().describe("how many at most"),
    }),
    response: { 200: z.object({ items: z.array(suggestedAccountSchema) }) },
    handler: async ({ suggestions }, { viewer, query }) => ({
      items: await suggestions.list(viewer, query.limit),
    }),
  }),
  dismiss: forMembers("DELETE /api/suggestions/:id", {
    refuses: ["not-found"],
    summary: "Stop suggesting an account",
    description:
      "Only you know of it. Following the account undoes it, and so do " +
      `${limits.dismissedSuggestions} later ones.`,
    params: z.object({ id: z.uuid().describe("the other account's id") }),
    response: { 200: z.object({ dismissed: z.literal(true) }) },
    handler: async ({ suggestions }, { viewer, params }) => {
      await suggestions.dismiss(viewer, params.id);
      return { dismissed: true as const };
    },
  }),
};
