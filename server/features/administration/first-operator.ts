import type { Database } from "#server/platform/db/database.ts";
import * as queries from "#server/features/administration/first-operator.queries.ts";
import { hashToken, newToken } from "#server/platform/tokens.ts";
import type { Administration } from "#server/features/administration/administration.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/** How long the link of a start works, seconds. */
const goodFor = 60 * 60;

type Deps = { db: Database; administration: Pick<Administration, "setRole"> };

/**
 * How the first operator gets the role without the command line: by a link that a start writes into
 * the log while there is none. Reading the log takes access to the machine.
 */
export function createFirstOperator({ db, administration }: Deps) {
  /**
   * A path that works once, for an hour, and replaces the one before; null where there is an
   * operator.
   */
  async function issue(): Promise<string | null> {
    if (await queries.hasOperator(db)) return null;
    const token = newToken();
    await queries.replaceOperatorLink(db, { hash: hashToken(token), seconds: goodFor });
    return `/operator/first/${token}`;
  }

  /** Only checks the link. Refuses with operator-exists and operator-link-gone. */
  async function check(token: string): Promise<void> {
    if (await queries.hasOperator(db)) throw refuse("operator-exists");
    if (!(await queries.isGoodLink(db, hashToken(token)))) throw refuse("operator-link-gone");
  }

  /** Makes the member an operator. Of two at once, one: the other is refused as too late. */
  async function take(viewer: Viewer, token: string): Promise<void> {
    await db.transaction(async () => {
      if (await queries.hasOperator(db)) throw refuse("operator-exists");
      if (!(await queries.takeOperatorLink(db, hashToken(token))))
        throw refuse("operator-link-gone");
      // The role was given at the command line while this waited for the row.
      if (await queries.hasOperator(db)) throw refuse("operator-exists");
      await administration.setRole(viewer.id, "operator", { first: true });
    });
  }

  /** Whether this member is the only operator. */
  async function isLast({ id, operator }: Viewer): Promise<boolean> {
    return operator === true && !(await queries.hasOperator(db, id));
  }

  return { issue, check, take, isLast };
}
