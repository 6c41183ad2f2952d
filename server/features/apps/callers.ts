import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import * as queries from "#server/features/apps/apps.queries.ts";
import type { AppView } from "#server/features/apps/registrations.ts";
import { backgroundWriter } from "#server/features/identity/index.ts";
import { hashToken } from "#server/platform/tokens.ts";
import type { Viewer } from "#shared/views.ts";

/** seconds: the precision of the last use in the list of connected apps */
const noteUseAfter = 5 * 60;

/** The caller behind a request of an app. */
export type AppCaller = {
  tokenId: string;
  /** the token itself: for nobody but its app */
  token: string;
  app: AppView;
  scopes: string[];
  /** epoch ms */
  since: number;
  /** null: no member authorized it, it acts for itself */
  viewer: Viewer | null;
};

type Deps = { db: Database; log: Pick<Logger, "error"> };

/** The caller behind a token; records its use. */
export function createCallers({ db, log }: Deps) {
  const readToken = queries.tokenReader(db, noteUseAfter);
  const writeUse = backgroundWriter(log, "the use of an app could not be written");

  /** The caller behind a token; null when it ended, or its account may not be seen. */
  async function callerOf(token: string): Promise<AppCaller | null> {
    if (token.length > 100) return null;
    const row = await readToken(hashToken(token));
    if (!row) return null;
    if (row.use_unnoted) writeUse(row.token_id, () => queries.noteUse(db, row.token_id));
    const { member } = row;
    const viewer = member && { ...member.account, ...member.own, sessionId: row.token_id };
    const { app, scopes, token_id: tokenId } = row;
    return { tokenId, token, app, scopes, since: row.created_at.getTime(), viewer };
  }

  return { callerOf };
}
