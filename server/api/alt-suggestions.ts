import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter, noContent } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { postParams } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { altSuggestionInput } from "#shared/posts.inputs.ts";
import { altSuggestionSchema } from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "posts" | "altSuggestions"> };

const { forMembers } = chapter("Posts");
const path = "/api/posts/:address/:number/alt-suggestions";

const declared = {
  list: forMembers(["not-found"], {
    summary: "What was suggested as alt text for a post's photos",
    description:
      "Oldest first: everything to the post's author, to everybody else what they " +
      "suggested themselves. The author takes one by editing the post with it as the " +
      "picture's `alt`, which ends all suggestions for this picture.",
    params: postParams,
    response: { 200: z.object({ items: z.array(altSuggestionSchema) }) },
  }),
  suggest: forMembers(
    ["not-found", "own-photo", "picture-unknown", "photo-described", "alt-suggestions-full"],
    {
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
    },
  ),
  dismiss: forMembers(["not-found", "suggestion-gone"], {
    summary: "Dismiss or withdraw suggested alt text",
    description: "Allowed for the post's author and for who suggested it.",
    params: postParams.extend({ suggestionId: z.string().describe("`id` of the suggestion") }),
    response: noContent,
  }),
};

/** Alt text that members suggest for the photos of others. */
export function altSuggestionCalls({ features: { posts, altSuggestions } }: Deps) {
  return {
    list: call("GET", path, declared.list, async (request) => {
      const viewer = memberOf(request);
      const ref = await posts.refAt(viewer, request.params.address, request.params.number);
      return { items: await altSuggestions.ofPost(viewer, ref) };
    }),
    suggest: call("PUT", path, declared.suggest, async (request) => {
      const { address, number } = request.params;
      return altSuggestions.suggest(memberOf(request), address, number, request.body);
    }),
    dismiss: call("DELETE", `${path}/:suggestionId`, declared.dismiss, async (request) => {
      const { address, number, suggestionId } = request.params;
      return altSuggestions.dismiss(memberOf(request), address, number, suggestionId);
    }),
  };
}
