import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter, noContent } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import type { Features } from "#server/features/index.ts";
import { sharedLinkInput } from "#shared/shared-links.inputs.ts";
import { sharedLinkSchema } from "#shared/shared-links.schemas.ts";

type Deps = { features: Pick<Features, "sharedLinks"> };

const { forMembers } = chapter("Shared links");

const declared = {
  list: forMembers([], {
    summary: "Your links for guests",
    description: "Those that open, newest first, without their addresses: only a hash is stored.",
    response: { 200: z.object({ items: z.array(sharedLinkSchema) }) },
  }),
  make: forMembers(["not-found", "shared-link-audience", "shared-links-full"], {
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
  }),
  end: forMembers(["not-found"], {
    summary: "End a link",
    description: "Its page and its photos open no more, at once.",
    params: z.object({ id: z.uuid().describe("`id` of the link") }),
    response: noContent,
  }),
};

/** The caller's links for guests. What guests see is at addresses for people (guest-files.ts, screens). */
export function sharedLinkCalls({ features: { sharedLinks } }: Deps) {
  return {
    list: call("GET", "/api/links", declared.list, async (request) => ({
      items: await sharedLinks.list(memberOf(request)),
    })),
    make: call("POST", "/api/links", declared.make, async (request) =>
      sharedLinks.make(memberOf(request), request.body),
    ),
    end: call("DELETE", "/api/links/:id", declared.end, async (request) =>
      sharedLinks.end(memberOf(request), request.params.id),
    ),
  };
}
