import { z } from "zod";
import { noContent } from "#server/api/declare.ts";
import { callsOf } from "#server/api/declared-calls.ts";
import { postParams } from "#server/api/parameters.ts";
import { altSuggestionInput } from "#shared/posts.inputs.ts";
import { altSuggestionSchema } from "#shared/views.schemas.ts";

const { forMembers } = callsOf("Posts");
const path = "/api/posts/:address/:number/alt-suggestions";

/** Alt text that members suggest for the photos of others. */
export const altSuggestionCalls = {
  list: forMembers(`GET ${path}`, {
    refuses: ["not-found"],
    summary: "What was suggested as alt text for a post's photos",
    description:
      "Oldest first: everything to the post's author, to everybody else what they " +
      "suggested themselves. The author takes one by editing the post with it as the " +
      "picture's `alt`, which ends all suggestions for this picture.",
    params: postParams,
    response: { 200: z.object({ items: z.array(altSuggestionSchema) }) },
    handler: async ({ posts, altSuggestions }, { viewer, params }) => {
      const ref = await posts.refAt(viewer, params.address, params.number);
      return { items: await altSuggestions.ofPost(viewer, ref) };
    },
  }),
  suggest: forMembers(`PUT ${path}`, {
    refuses: [
      "not-found",
      "own-photo",
      "picture-unknown",
      "photo-described",
      "alt-suggestions-full",
    ],
    summary: "Suggest alt text for somebody's photo",
    description:
      "For a photo without any. Shown to its author alone, who takes or dismisses it. " +
      "Another one for the same photo takes the place of the caller's first.",
    params: postParams,
    body: z.object({
      key: altSuggestionInput.shape.key.describe("the picture's `key`"),
      alt: altSuggestionInput.shape.alt.describe("1,000 characters at most"),
    }),
    response: { 200: z.object({ id: z.uuid() }) },
    handler: ({ altSuggestions }, { viewer, params: { address, number }, body }) =>
      altSuggestions.suggest(viewer, address, number, body),
  }),
  dismiss: forMembers(`DELETE ${path}/:suggestionId`, {
    refuses: ["not-found", "suggestion-gone"],
    summary: "Dismiss or withdraw suggested alt text",
    description: "Allowed for the post's author and for who suggested it.",
    params: postParams.extend({ suggestionId: z.string().describe("`id` of the suggestion") }),
    response: noContent,
    handler: ({ altSuggestions }, { viewer, params: { address, number, suggestionId } }) =>
      altSuggestions.dismiss(viewer, address, number, suggestionId),
  }),
};
