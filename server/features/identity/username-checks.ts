import type { Database } from "#server/platform/db/database.ts";
import type { createAttemptLimits } from "#server/features/limits/index.ts";
import { isUsernameTaken, pickUsername, readsWell } from "#server/features/people/index.ts";
import { networkOf } from "#server/platform/networks.ts";
import { refuse } from "#shared/errors.ts";
import { usernameOf, usernameProblem, type UsernameCheck } from "#shared/usernames.ts";

type Deps = { db: Database; limits: ReturnType<typeof createAttemptLimits> };

/**
 * What a sign-up says while one types: whether a username can be had, or, where none was typed, one made from
 * the name, if it would be readable. Nothing is reserved by it. Refuses with too-many-attempts.
 */
export function createUsernameChecks({ db, limits }: Deps) {
  return async function checkUsername(
    { username: typed, name }: { username: string; name: string },
    { ip }: { ip: string },
  ): Promise<UsernameCheck> {
    await limits.count("username-checks", networkOf(ip));
    const username = usernameOf(typed);
    if (username === "") {
      const made = name.trim() !== "" && readsWell(name) ? await pickUsername(db, name) : null;
      return { username: made, state: "free", problem: null };
    }
    const problem = usernameProblem(username);
    if (problem !== null) return { username, state: "not allowed", problem };
    if (!(await isUsernameTaken(db, username))) return { username, state: "free", problem: null };
    return { username, state: "taken", problem: refuse("username-taken").message };
  };
}
