import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { probe } from "#server/platform/db/probes.ts";
import {
  accountSummary,
  accountIdAt,
  isFollowing,
  visibleTo,
  accountSeen,
} from "#server/features/people/index.ts";
import type { AlbumRef } from "#server/features/types.ts";
import type { AlbumRole } from "#shared/albums.ts";
import { limits } from "#shared/limits.ts";
import type { AlbumInvitation, AlbumMember } from "#shared/views.ts";

export type MemberRef = AlbumRef & { accountId: string };

const member = (role: Sql) =>
  sql`${accountSummary("a")}::jsonb || jsonb_build_object('role', ${role})`;

/** The owner, then the others whom the viewer may see, latest first. Primary key of album_members. */
export const membersOf = (db: Database, viewerId: string, { ownerId, albumId }: AlbumRef) =>
  db.column<AlbumMember>(sql`
    select item from (
      select ${member(sql`'owner'`)} as item, null::uuid as id
      from accounts a where a.id = ${ownerId}
      union all
      select ${member(sql`m.role`)}, m.id
      from (
        select * from album_members where owner_id = ${ownerId} and album_id = ${albumId}
      ) m
      cross join lateral ${accountSeen(viewerId, "m.account_id")} a
    ) listed
    order by id desc nulls first
  `);

/** Null where they are no member, or the viewer may not see them. Primary keys. */
export const findMember = (db: Database, viewerId: string, ref: MemberRef) =>
  db.value<AlbumMember>(sql`
    select ${member(sql`m.role`)} as item
    from album_members m
    join accounts a on a.id = m.account_id and ${visibleTo(viewerId, "a")}
    where m.owner_id = ${ref.ownerId} and m.album_id = ${ref.albumId}
      and m.account_id = ${ref.accountId}
  `);

/** The account at an address, if the viewer may see it. */
export const accountAt = (db: Database, viewerId: string, address: string) =>
  db.value<string>(sql`
    select a.id from accounts a
    where a.id = ${accountIdAt(db, address, viewerId)} and ${visibleTo(viewerId, "a")}
  `);

/** Primary key of follows. */
export const follows = (db: Database, followerId: string, followeeId: string) =>
  db.any(sql`select where ${isFollowing(sql`${followerId}::uuid`, sql`${followeeId}::uuid`)}`);

/** Those of these accounts who follow this one. Primary key of followers. */
export async function followersAmong(db: Database, followeeId: string, ids: readonly string[]) {
  const found = await db.column<string>(sql`
    select follower_id as id from followers
    where followee_id = ${followeeId} and follower_id = any(${[...ids]}::uuid[])
  `);
  return new Set(found);
}

type New = MemberRef & { role: AlbumRole; id: string; shownToGuests?: boolean };

/**
 * Makes an account a member; one who is there already keeps their role. False: there are as many as may be. The
 * counters of both and the album's row are locked already.
 */
export const insertMember = (db: Database, { ownerId, albumId, ...of }: New) =>
  db.one<{ there: boolean; added: boolean }>(sql`
    with there as (
      select from album_members
      where owner_id = ${ownerId} and album_id = ${albumId} and account_id = ${of.accountId}
    ),
    added as (
      insert into album_members (owner_id, album_id, account_id, role, id, shown_to_guests)
      select ${ownerId}::uuid, ${albumId}::uuid, ${of.accountId}::uuid, ${of.role}::text, ${of.id}::uuid,
        ${of.shownToGuests ?? false}::boolean
      where not exists (select from there) and (
        select count(*) from album_members where owner_id = ${ownerId} and album_id = ${albumId}
      ) < ${limits.albums.members}
      returning id
    )
    select exists (select from there) as there, exists (select from added) as added
  `);

export const writeRole = (
  db: Database,
  { ownerId, albumId, accountId }: MemberRef,
  role: AlbumRole,
) =>
  db.run(sql`
    update album_members set role = ${role}
    where owner_id = ${ownerId} and album_id = ${albumId} and account_id = ${accountId}
  `);

/** Whether links for guests may show their photos; null: they are no member. Primary key. */
export const isShownToGuests = (db: Database, { ownerId, albumId, accountId }: MemberRef) =>
  db.value<boolean>(sql`
    select shown_to_guests as shown from album_members
    where owner_id = ${ownerId} and album_id = ${albumId} and account_id = ${accountId}
  `);

/** False: they are no member. */
export const writeShownToGuests = (
  db: Database,
  { ownerId, albumId, accountId }: MemberRef,
  shown: boolean,
) =>
  db.any(sql`
    update album_members set shown_to_guests = ${shown}
    where owner_id = ${ownerId} and album_id = ${albumId} and account_id = ${accountId}
    returning id
  `);

/** Their photos go along, by a trigger. Their counters are locked already. */
export const deleteMember = (db: Database, { ownerId, albumId, accountId }: MemberRef) =>
  db.any(sql`
    delete from album_members
    where owner_id = ${ownerId} and album_id = ${albumId} and account_id = ${accountId}
    returning id
  `);

/** Who is notified of what is added: the owner and all members, without one. Primary key. */
export const othersIn = (db: Database, { ownerId, albumId, accountId }: MemberRef) =>
  db.column<string>(sql`
    select account_id as id from album_members
    where owner_id = ${ownerId} and album_id = ${albumId} and account_id <> ${accountId}
    union all
    select ${ownerId}::uuid where ${ownerId}::uuid <> ${accountId}::uuid
  `);

/** Takes the place of an earlier link. */
export const writeLink = (
  db: Database,
  { ownerId, albumId }: AlbumRef,
  { tokenHash, role }: { tokenHash: Buffer; role: AlbumRole },
) =>
  db.run(sql`
    insert into album_invitations (token_hash, owner_id, album_id, role)
    values (${tokenHash}, ${ownerId}, ${albumId}, ${role})
    on conflict (owner_id, album_id) do update
      set token_hash = excluded.token_hash, role = excluded.role
  `);

export const deleteLink = (db: Database, { ownerId, albumId }: AlbumRef) =>
  db.run(sql`
    delete from album_invitations where owner_id = ${ownerId} and album_id = ${albumId}
  `);

export const hasLink = (db: Database, { ownerId, albumId }: AlbumRef) =>
  db.any(sql`
    select from album_invitations where owner_id = ${ownerId} and album_id = ${albumId}
  `);

/** What a link leads to, if the viewer may see the album's owner. Primary keys, albums_by_id. */
export const findLink = (db: Database, viewerId: string | null, tokenHash: Buffer) =>
  db.first<AlbumRef & { role: AlbumRole; item: AlbumInvitation }>(sql`
    select i.owner_id as "ownerId", i.album_id as "albumId", i.role, json_build_object(
      'title', al.title,
      'owner', ${accountSummary("a")},
      'role', i.role,
      'joined', case when al.owner_id = ${viewerId}::uuid or (
        select true from album_members m
        where m.owner_id = al.owner_id and m.album_id = al.id
          and ${probe("m.account_id", sql`${viewerId}::uuid`)}
      ) then al.id end
    ) as item
    from album_invitations i
    join albums al on al.owner_id = i.owner_id and al.id = i.album_id
    join accounts a on a.id = i.owner_id and ${visibleTo(viewerId, "a")}
    where i.token_hash = ${tokenHash}
  `);

/** Locks an album's row until the transaction ends; false where it is gone. */
export const lockForMembers = (db: Database, { ownerId, albumId }: AlbumRef) =>
  db.any(sql`
    select from albums where owner_id = ${ownerId} and id = ${albumId} for no key update
  `);
