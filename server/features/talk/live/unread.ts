import type { Database } from "#server/platform/db/database.ts";
import { event } from "#server/features/talk/live/frames.ts";
import { unreadOf } from "#server/features/talk/live/live.queries.ts";
import type { createStreams, StreamEvent } from "#server/features/talk/live/streams.ts";

export async function sendUnread(
  { db, streams }: { db: Database; streams: Pick<ReturnType<typeof createStreams>, "sendTo"> },
  accountIds: readonly string[],
): Promise<void> {
  for (const [accountId, counts] of await unreadEvents(db, accountIds)) {
    streams.sendTo(accountId, counts);
  }
}

/** What is unread for each of the accounts, in one statement. */
export async function unreadEvents(
  db: Database,
  accountIds: readonly string[],
): Promise<Map<string, StreamEvent>> {
  if (accountIds.length === 0) return new Map();
  return new Map(
    (await unreadOf(db, accountIds)).map(({ accountId, ...counts }) => [
      accountId,
      { key: `unread:${accountId}`, text: event("unread", counts) },
    ]),
  );
}
