import type { z } from "zod";
import type { createAttemptLimits } from "#server/features/limits/index.ts";
import { findElsewhere } from "#server/features/people/elsewhere/elsewhere.queries.ts";
import type { Database } from "#server/platform/db/database.ts";
import { elsewhereInput } from "#shared/archive.inputs.ts";
import { parseInput } from "#shared/inputs.ts";
import type { AccountElsewhere, Viewer } from "#shared/views.ts";

type Deps = { db: Database; limits: Pick<ReturnType<typeof createAttemptLimits>, "count"> };

/** Members whose profile names an account on another service. */
export function createElsewhere({ db, limits }: Deps) {
  /**
   * Those who name one of these accounts, which the viewer followed there; they are not kept. Everybody can read the
   * same on the profiles. Refuses with input-invalid and too-many-attempts.
   */
  async function find(
    viewer: Viewer,
    input: z.input<typeof elsewhereInput>,
  ): Promise<AccountElsewhere[]> {
    const { accounts } = parseInput(elsewhereInput, input);
    await limits.count("elsewhere-lookups", viewer.id);
    return findElsewhere(db, viewer.id, accounts);
  }

  return { find };
}
