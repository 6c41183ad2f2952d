import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import type { Features } from "#server/features/index.ts";
import { limits } from "#shared/limits.ts";
import { suggestedAccountSchema } from "#shared/views.schemas.ts";

type Deps = { features: { suggestions: Features["suggestions"] } };

const { forMembers } = chapter("Accounts");
const { suggestions: most } = limits;

const declared = {
  list: forMembers([], {
    summary: "People to follow",
    description:
      "Accounts that posted something and that you don't follow, the best first: those followed " +
      "by people you follow, then your followers, then who posted photos or joined lately.",
    querystring: z.object({
      limit: z.coerce.number().int().min(1).max(most).optional().describe("how many at most"),
    }),
    response: { 200: z.object({ items: z.array(suggestedAccountSchema) }) },
  }),
  dismiss: forMembers(["not-found"], {
    summary: "Stop suggesting an account",
    description:
      "Only you know of it. Following the account undoes it, and so do " +
      `${limits.dismissedSuggestions} later ones.`,
    params: z.object({ id: z.uuid().describe("the other account's id") }),
    response: { 200: z.object({ dismissed: z.literal(true) }) },
  }),
};

/** Accounts the caller may want to follow. */
export function suggestionCalls({ features: { suggestions } }: Deps) {
  return {
    list: call("GET", "/api/suggestions", declared.list, async (request) => ({
      items: await suggestions.list(memberOf(request), request.query.limit),
    })),
    dismiss: call("DELETE", "/api/suggestions/:id", declared.dismiss, async (request) => {
      await suggestions.dismiss(memberOf(request), request.params.id);
      return { dismissed: true as const };
    }),
  };
}
