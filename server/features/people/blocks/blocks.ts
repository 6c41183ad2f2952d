import { listOfIds, type IdRange } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/people/blocks/blocks.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { isUsername } from "#shared/usernames.ts";
import type { AccountSummary, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  newId?: NewId;
  /** Ends, in the transaction of a block, what other features have between the two. */
  onBlock?: (pair: queries.Pair) => Promise<void>;
};

/**
 * Blocks and mutes. A block works both ways, at once and everywhere: `visibleTo` is in every read,
 * and follows between the two, requests to follow and close friends end for good. Likes, comments and
 * bookmarks keep their rows and come back with an unblock; the stored counters stay those of the rows. A mute
 * is known only to its member.
 */
export function createBlocks({ db, newId = freshId, onBlock }: Deps) {
  /** Blocking again changes nothing. An account that blocked the viewer is not found: not-found. */
  async function block(viewer: Viewer, accountId: string): Promise<{ blocked: boolean }> {
    const pair = pairOf(viewer, accountId);
    await db.transaction(async () => {
      db.seenAtOnce();
      if (!(await queries.lockPair(db, pair))) throw refuse("not-found");
      if (await queries.isBlockedBy(db, pair)) throw refuse("not-found");
      await queries.insertBlock(db, { ...pair, id: newId() });
      await onBlock?.(pair);
    });
    return { blocked: true };
  }

  /** Works for a deleted account, too. The earlier follows do not come back. */
  async function unblock(viewer: Viewer, accountId: string): Promise<{ blocked: boolean }> {
    const pair = pairOf(viewer, accountId);
    await db.transaction(async () => {
      await queries.lockPair(db, pair);
      await queries.deleteBlock(db, pair);
    });
    return { blocked: false };
  }

  /**
   * Until it is ended, or for so many seconds. Muting again begins anew. Refuses with not-found, self-block and
   * input-invalid.
   */
  async function mute(
    viewer: Viewer,
    accountId: string,
    seconds: number | null = null,
  ): Promise<{ muted: boolean }> {
    if (seconds !== null && !(seconds > 0 && seconds <= limits.muteSeconds))
      throw refuse("input-invalid", {
        message: "A mute lasts a year at most, or until you end it.",
      });
    const endsAt = seconds === null ? null : new Date(Date.now() + seconds * 1000);
    const row = { ...pairOf(viewer, accountId), id: newId(), endsAt };
    if (!(await queries.insertMute(db, row))) throw refuse("not-found");
    return { muted: true };
  }

  async function unmute(viewer: Viewer, accountId: string): Promise<{ muted: boolean }> {
    await queries.deleteMute(db, pairOf(viewer, accountId));
    return { muted: false };
  }

  return {
    block,
    unblock,
    mute,
    unmute,
    sweep: () => queries.deleteEndedMutes(db),
    ...listsOf(db),
  };
}

/** The accounts the viewer blocked or muted, latest first; nobody else ever reads it. */
function listsOf(db: Database) {
  const reads = { blocked: queries.blockedBy, muted: queries.mutedBy };
  const listFor = ({ id: accountId }: Viewer, which: keyof typeof reads) =>
    listOfIds(limits.accountsPage, (range) => reads[which](db, { ...range, accountId }));
  return {
    blocked: (viewer: Viewer, cursor: string | null) => listFor(viewer, "blocked").page(cursor),
    muted: (viewer: Viewer, cursor: string | null) => listFor(viewer, "muted").page(cursor),
    /** Either list between two ids of its own. */
    between: (viewer: Viewer, which: keyof typeof reads, range: IdRange) =>
      listFor(viewer, which).between(range),
    /**
     * One account that the viewer blocked, by id or whole username: as the list shows it, to nobody
     * else.
     */
    find: async (
      viewer: Viewer,
      wanted: { id: string } | { username: string },
    ): Promise<AccountSummary | null> => {
      if ("id" in wanted && !isId(wanted.id)) return null;
      if ("id" in wanted) return queries.findBlocked(db, viewer.id, wanted);
      const username = wanted.username.toLowerCase();
      return isUsername(username) ? queries.findBlocked(db, viewer.id, { username }) : null;
    },
  };
}

function pairOf(viewer: Viewer, accountId: string): queries.Pair {
  if (!isId(accountId)) throw refuse("not-found");
  const otherId = accountId.toLowerCase();
  if (otherId === viewer.id) throw refuse("self-block");
  return { accountId: viewer.id, otherId };
}
