import type { Database } from "#server/platform/db/database.ts";
import { type Follows, ownAddresses } from "#server/features/people/index.ts";
import { accountsAt, addressesOf } from "#server/compat/documents/addresses.queries.ts";
import { accountRows } from "#server/compat/documents/documents.queries.ts";
import { foldAddress, namesCaller, readIntent } from "#server/compat/documents/intent.ts";
import {
  changed,
  unchanged,
  type ReadChange,
  type ChangeQueue,
} from "#server/compat/documents/change-queue.ts";
import type { Change, FollowInput } from "#shared/documents.inputs.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = { db: Database; queue: ChangeQueue; follows: Pick<Follows, "follow" | "unfollow"> };

/** Whom a client may have in its copy of what the caller follows. */
const isHeld = ({ followed, requested }: { followed: boolean; requested: boolean }) =>
  followed || requested;

/** Changes of whom a caller follows, read from either side's list. */
export function createFollowChanges({ db, queue: { enqueue }, follows }: Deps) {
  /**
   * Follows or unfollows. Clients make two calls for it, one on the other's followers and one on
   * their own following: the first to come does everything, the other finds it done. A private account is
   * asked, and in neither list until it accepts.
   */
  const follow: ReadChange<FollowInput> = (viewer, address, sent, precondition = null) =>
    enqueue(viewer, { address }, precondition, async (id) => {
      const own = await ownAddresses(db, viewer.id);
      if (id === viewer.id) return readOwnFollowing(viewer, sent, own, precondition !== null);
      if (sent.followingAccounts || !sent.followerAccounts) throw refuse("not-yours");
      const [now] = await accountsAt(db, viewer.id, [foldAddress(address)]);
      // Who asked is in no list yet: that a list lacks them withdraws nothing.
      const wanted = namesCaller(sent.followerAccounts, own);
      if (wanted === now?.followed || now?.requested) return unchanged;
      return setFollow(viewer, id, wanted);
    });

  async function readOwnFollowing(
    viewer: Viewer,
    { followerAccounts = [], followingAccounts }: FollowInput,
    own: ReadonlySet<string>,
    exact: boolean,
  ): Promise<Change> {
    if (namesCaller([...followerAccounts, ...(followingAccounts ?? [])], own)) {
      throw refuse("self-follow");
    }
    // Whether others follow the caller is theirs to change.
    if (!followingAccounts) return unchanged;
    const named = await accountsAt(db, viewer.id, followingAccounts.map(foldAddress));
    const intent = readIntent({
      given: new Set(named.map(({ id }) => id)),
      held: new Set(named.filter(isHeld).map(({ id }) => id)),
      sent: await followingSent(viewer),
      exact,
    });
    if (!intent) return unchanged;
    return "add" in intent
      ? setFollow(viewer, intent.add, true)
      : setFollow(viewer, intent.remove, false);
  }

  /** The ids of followingAccounts in the caller's document, newest last. */
  async function followingSent(viewer: Viewer): Promise<string[]> {
    const { entries } = limits.documents;
    const [row] = await accountRows(db, { viewerId: viewer.id, ids: [viewer.id], entries });
    const ids = row?.followingIds ?? [];
    const seen = await addressesOf(db, viewer.id, ids);
    return ids.filter((id) => seen.has(id)).reverse();
  }

  async function setFollow(viewer: Viewer, id: string, wanted: boolean): Promise<Change> {
    await (wanted ? follows.follow(viewer, id) : follows.unfollow(viewer, id));
    return changed;
  }

  return { follow };
}
