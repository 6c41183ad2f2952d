import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { address } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { countsSchema } from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "follows"> };

const { forMembers } = chapter("Accounts");
const path = "/api/accounts/:address/follow";
const toggle = (summary: string) =>
  forMembers(["not-found", "self-follow"], {
    summary,
    params: z.object({ address }),
    response: {
      200: z.object({ following: z.boolean(), counts: countsSchema.describe("of that account") }),
    },
  });

/** Following an account and no longer; sent again, neither changes anything. */
export function followCalls({ features: { follows } }: Deps) {
  return {
    follow: call("PUT", path, toggle("Follow an account"), async (request) =>
      follows.follow(memberOf(request), request.params),
    ),
    unfollow: call("DELETE", path, toggle("Stop following an account"), async (request) =>
      follows.unfollow(memberOf(request), request.params),
    ),
  };
}
