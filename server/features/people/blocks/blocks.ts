import {
  idBelow,
  lowestId,
  toPage,
  toRangePage,
  type IdRange,
  type RangePage,
} from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { isId, newId as freshId, type NewId } from "#server/db/ids.ts";
import * as queries from "#server/features/people/blocks/blocks.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { isUsername } from "#shared/usernames.ts";
import type { AccountSummary, Page, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  newId?: NewId;
  /** Ends, in the transaction of a block, what stands between the two elsewhere. */
  onBlock?: (pair: queries.Pair) => Promise<void>;
};

/**
 * Who must see nothing of whom, and whose posts a member would rather not read. A block works both
 * ways, at once and everywhere: `visibleTo` stands under every read, and the follows between the
 * two end for good. Likes, comments and saves keep their rows and come back with an unblock; the
 * stored counters stay those of the rows. A mute is nobody's business but the member's own.
 */
export function createBlocks({ db, newId = freshId, onBlock }: Deps) {
  /** Blocking again changes nothing. Whoever blocked the viewer is not there: not-found. */
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

  /** Works for an account that is gone, too. The follows of before do not come back. */
  async function unblock(viewer: Viewer, accountId: string): Promise<{ blocked: boolean }> {
    await queries.deleteBlock(db, pairOf(viewer, accountId));
    return { blocked: false };
  }

  async function mute(viewer: Viewer, accountId: string): Promise<{ muted: boolean }> {
    const row = { ...pairOf(viewer, accountId), id: newId() };
    if (!(await queries.insertMute(db, row))) throw refuse("not-found");
    return { muted: true };
  }

  async function unmute(viewer: Viewer, accountId: string): Promise<{ muted: boolean }> {
    await queries.deleteMute(db, pairOf(viewer, accountId));
    return { muted: false };
  }

  /** Whom the viewer blocked, latest first; nobody else ever reads it. */
  async function blocked(viewer: Viewer, cursor: string | null): Promise<Page<AccountSummary>> {
    return list(queries.blockedBy, viewer, cursor);
  }

  /** Whom the viewer muted, latest first; nobody else ever reads it. */
  async function muted(viewer: Viewer, cursor: string | null): Promise<Page<AccountSummary>> {
    return list(queries.mutedBy, viewer, cursor);
  }

  async function list(read: typeof queries.blockedBy, viewer: Viewer, cursor: string | null) {
    const size = limits.accountsPage;
    const page = { above: lowestId, below: idBelow(cursor), upward: false, limit: size + 1 };
    return toPage(await read(db, { ...page, accountId: viewer.id }), size);
  }

  /** Either list between two ids of its own. */
  async function between(
    viewer: Viewer,
    which: "blocked" | "muted",
    range: IdRange,
  ): Promise<RangePage<AccountSummary>> {
    const read = which === "blocked" ? queries.blockedBy : queries.mutedBy;
    const rows = await read(db, { ...range, accountId: viewer.id, limit: range.limit + 1 });
    return toRangePage(
      rows.map(({ key: [id], item }) => ({ id: String(id), item })),
      range,
    );
  }

  /** One whom the viewer blocked, by their id or their whole username: as the list shows them, to nobody else. */
  async function find(
    viewer: Viewer,
    wanted: { id: string } | { username: string },
  ): Promise<AccountSummary | null> {
    if ("id" in wanted) return isId(wanted.id) ? queries.findBlocked(db, viewer.id, wanted) : null;
    const username = wanted.username.toLowerCase();
    return isUsername(username) ? queries.findBlocked(db, viewer.id, { username }) : null;
  }

  return { block, unblock, mute, unmute, blocked, muted, between, find };
}

function pairOf(viewer: Viewer, accountId: string): queries.Pair {
  if (!isId(accountId)) throw refuse("not-found");
  const otherId = accountId.toLowerCase();
  if (otherId === viewer.id) throw refuse("self-block");
  return { accountId: viewer.id, otherId };
}
