import type { Database } from "#server/platform/db/database.ts";
import { newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import { hashToken, newToken } from "#server/platform/tokens.ts";
import { lockPair } from "#server/features/people/index.ts";
import * as queries from "#server/features/posts/albums/album-members.queries.ts";
import { albumFor, ownAlbum } from "#server/features/posts/albums/open-album.ts";
import { lockCounters } from "#server/features/posts/post-writes.queries.ts";
import type { Notifier } from "#server/features/types.ts";
import type { AlbumRole } from "#shared/albums.ts";
import { found, refuse } from "#shared/errors.ts";
import type { AlbumInvitation, AlbumMember, Viewer } from "#shared/views.ts";

type Deps = { db: Database; notifications?: Notifier; newId?: NewId };

/** Of a link for members: 128 bits, as 22 characters. */
const tokenBytes = 16;

/** Who is in an album, and how they get in: invited by its owner, who they follow, or by its link for members. */
export function createAlbumMembers(deps: Deps) {
  const { db } = deps;

  /** For its members alone; anybody else gets not-found. */
  async function list(
    viewer: Viewer,
    id: string,
  ): Promise<{ items: AlbumMember[]; hasLink: boolean; shownToGuests: boolean | null }> {
    const album = await albumFor(db, viewer, id);
    if (album.role === null) throw refuse("not-found");
    return {
      items: await queries.membersOf(db, viewer.id, album),
      hasLink: album.role === "owner" && (await queries.hasLink(db, album)),
      shownToGuests: await queries.isShownToGuests(db, { ...album, accountId: viewer.id }),
    };
  }

  async function remove(viewer: Viewer, id: string, address: string): Promise<void> {
    const album = await ownAlbum(db, viewer, id);
    const accountId = found(await queries.accountAt(db, viewer.id, address));
    if (!(await end({ ...album, accountId }))) throw refuse("not-found");
  }

  async function leave(viewer: Viewer, id: string): Promise<void> {
    const album = await albumFor(db, viewer, id);
    if (!(await end({ ...album, accountId: viewer.id }))) throw refuse("not-found");
  }

  /** Whether links for guests show the viewer's photos in this album, from now on. Refuses with not-found. */
  async function showToGuests(viewer: Viewer, id: string, shown: boolean): Promise<void> {
    const album = await albumFor(db, viewer, id);
    const written = await db.transaction(async () => {
      db.seenAtOnce();
      return queries.writeShownToGuests(db, { ...album, accountId: viewer.id }, shown);
    });
    if (!written) throw refuse("not-found");
  }

  const end = (member: queries.MemberRef) =>
    db.transaction(async () => {
      db.seenAtOnce();
      await lockCounters(db, member.accountId);
      return queries.deleteMember(db, member);
    });

  /** The token of a new link, which takes the place of an earlier one. */
  async function makeLink(viewer: Viewer, id: string, role: AlbumRole): Promise<{ token: string }> {
    const album = await ownAlbum(db, viewer, id);
    const token = newToken(tokenBytes);
    await queries.writeLink(db, album, { tokenHash: hashToken(token), role });
    return { token };
  }

  const endLink = async (viewer: Viewer, id: string): Promise<void> =>
    queries.deleteLink(db, await ownAlbum(db, viewer, id));

  /** Refuses with not-found where it leads nowhere any more. */
  const invitation = async (viewer: Viewer | null, token: string): Promise<AlbumInvitation> =>
    found(await queries.findLink(db, viewer?.id ?? null, hashToken(token))).item;

  return {
    list,
    /** Those of these accounts whom the viewer may invite: their followers. */
    invitable: (viewer: Viewer, accountIds: readonly string[]) =>
      queries.followersAmong(db, viewer.id, accountIds),
    put: (viewer: Viewer, id: string, address: string, role: AlbumRole) =>
      put(deps, viewer, id, { address, role }),
    remove,
    leave,
    showToGuests,
    makeLink,
    endLink,
    invitation,
    /** `shownToGuests`: links for guests may show what they add. Refuses with not-found, album-members-full. */
    join: (viewer: Viewer, token: string, shownToGuests = false) =>
      join(deps, viewer, token, shownToGuests),
  };
}

/** Whoever is a member already gets the role. Refuses a new one who does not follow the owner with not-follower. */
async function put(
  { db, notifications, newId = freshId }: Deps,
  viewer: Viewer,
  id: string,
  { address, role }: { address: string; role: AlbumRole },
): Promise<AlbumMember> {
  return db.transaction(async () => {
    db.seenAtOnce();
    const album = await ownAlbum(db, viewer, id);
    const accountId = found(await queries.accountAt(db, viewer.id, address));
    if (accountId === viewer.id) throw refuse("not-found");
    await lockPair(db, viewer.id, accountId);
    if (!(await queries.lockForMembers(db, album))) throw refuse("not-found");
    const member = { ...album, accountId };
    const earlier = await queries.findMember(db, viewer.id, member);
    if (earlier) await queries.writeRole(db, member, role);
    else {
      if (!(await queries.follows(db, accountId, viewer.id))) throw refuse("not-follower");
      const added = { ...member, role, id: newId() };
      if (!(await queries.insertMember(db, added)).added) throw refuse("album-members-full");
      await notifications?.notify.invitedToAlbum(viewer.id, album, accountId, added.id);
    }
    return found(await queries.findMember(db, viewer.id, member));
  });
}

/** Whoever is in it already keeps their role. */
async function join(
  { db, newId = freshId }: Deps,
  viewer: Viewer,
  token: string,
  shownToGuests: boolean,
): Promise<{ id: string }> {
  return db.transaction(async () => {
    db.seenAtOnce();
    const link = found(await queries.findLink(db, viewer.id, hashToken(token)));
    if (link.ownerId === viewer.id) return { id: link.albumId };
    await lockPair(db, viewer.id, link.ownerId);
    // Read again: the link may have ended, and a block have come, while this waited.
    const { role, ...album } = found(await queries.findLink(db, viewer.id, hashToken(token)));
    if (!(await queries.lockForMembers(db, album))) throw refuse("not-found");
    const member = { ...album, accountId: viewer.id, role, id: newId(), shownToGuests };
    const { there, added } = await queries.insertMember(db, member);
    if (!there && !added) throw refuse("album-members-full");
    return { id: album.albumId };
  });
}
