import type { Budget } from "#server/compat/calls/budget.ts";
import type { Calls } from "#server/api/calls.ts";
import { documentedChangeRoutes } from "#server/compat/calls/changes.ts";
import { documentedThreadRoutes } from "#server/compat/calls/threads.ts";
import { documentedUserRoutes } from "#server/compat/calls/users.ts";
import type { Features } from "#server/features/index.ts";

type Deps = {
  features: Pick<Features, "documents" | "changes" | "threads" | "conversations" | "idempotency">;
  publicUrl: string;
  budget: Budget;
};

/** The calls of section 7 of the specification, for any client that uses them. */
export function documentedRoutes(deps: Deps) {
  return async (app: Calls): Promise<void> => {
    await app.register(documentedUserRoutes(deps));
    await app.register(documentedChangeRoutes(deps));
    await app.register(documentedThreadRoutes(deps));
  };
}
