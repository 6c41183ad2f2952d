import { z } from "zod";
import { noContent } from "#server/api/declare.ts";
import { callsOf } from "#server/api/declared-calls.ts";
import { sharedLinkInput } from "#shared/shared-links.inputs.ts";
import { sharedLinkSchema } from "#shared/shared-links.schemas.ts";

const { forMembers } = callsOf("Shared links");

/** The caller's links for guests. What guests see is at addresses for people (guest-files.ts, screens). */
export const sharedLinkCalls = {
  list: forMembers("GET /api/links", {
    summary: "Your links for guests",
    description: "Those that open, newest first, without their addresses: only a hash is stored.",
    response: { 200: z.object({ items: z.array(sharedLinkSchema) }) },
    handler: async ({ sharedLinks }, { viewer }) => ({
      items: await sharedLinks.list(viewer),
    }),
  }),
  make: forMembers("POST /api/links", {
    refuses: ["not-found", "shared-link-audience", "shared-links-full"],
    summary: "Make a link for guests",
    description:
      "Whoever has its address sees one of your posts, your profile, or one of your albums, without an account. " +
      "The address is answered this once. 100 at most at the same time.",
    body: sharedLinkInput,
    response: {
      201: z.object({
        link: sharedLinkSchema,
        address: z.url().describe("to send to your guests"),
      }),
    },
    handler: ({ sharedLinks }, { viewer, body }) => sharedLinks.make(viewer, body),
  }),
  end: forMembers("DELETE /api/links/:id", {
    refuses: ["not-found"],
    summary: "End a link",
    description: "Its page and its photos open no more, at once.",
    params: z.object({ id: z.uuid().describe("`id` of the link") }),
    response: noContent,
    handler: ({ sharedLinks }, { viewer, params }) => sharedLinks.end(viewer, params.id),
  }),
};
