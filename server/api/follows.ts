import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { call } from "#server/api/declared-calls.ts";
import { address } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import type { RefusalCode } from "#shared/errors.ts";
import { countsSchema } from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "follows"> };

const refusals: RefusalCode[] = ["not-found", "self-follow"];
const declare = (summary: string) => ({
  config: { access: "member" as const, refusals },
  schema: {
    tags: ["Accounts"],
    summary,
    params: z.object({ address }),
    response: {
      200: z.object({ following: z.boolean(), counts: countsSchema.describe("of that account") }),
    },
  },
});

/** Following an account and no longer; sent again, neither changes anything. */
export function followCalls({ features }: Deps) {
  const { follows } = features;
  const path = "/api/accounts/:address/follow";

  return {
    follow: call("PUT", path, declare("Follow an account"), async (request) =>
      follows.follow(memberOf(request), request.params),
    ),
    unfollow: call("DELETE", path, declare("Stop following an account"), async (request) =>
      follows.unfollow(memberOf(request), request.params),
    ),
  };
}
